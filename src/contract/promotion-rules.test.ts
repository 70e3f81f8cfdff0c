import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import {
  bonusFor,
  conditionOf,
  grantFor,
  promiseFor,
  type PromisedTerms,
  type PromotionTerms,
  sentenceOf,
} from './promotion-rules.ts'

const none = { percent: null, amount: null, steps: null, minimum: 0 }
const percent = (of: number, minimum = 0): PromotionTerms => ({
  ...none,
  kind: 'percent',
  percent: of,
  minimum,
})
const fixed = (amount: number, minimum = 0): PromotionTerms => ({ ...none, kind: 'fixed', amount, minimum })
const steps = (rows: readonly (readonly [number, number])[]): PromotionTerms => ({
  ...none,
  kind: 'steps',
  steps: rows.map(([from, amount]) => ({ from, amount })),
})

describe('what terms give', () => {
  test.for([
    [percent(20), 50_000, 1, 10_000],
    [percent(20), 50_000, 3, 30_000],
    [percent(33), 10_001, 1, 3_300],
    [percent(1), 99, 1, 0],
    [percent(20, 50_000), 49_999, 1, 0],
    [percent(20, 50_000), 50_000, 1, 10_000],
    [percent(100), 1_000_000_000, 9_000, 9_000_000_000_000],
    [fixed(5_000, 20_000), 19_999, 1, 0],
    [fixed(5_000, 20_000), 20_000, 7, 5_000],
    [
      steps([
        [50_000, 5_000],
        [100_000, 12_000],
      ]),
      49_999,
      1,
      0,
    ],
    [
      steps([
        [50_000, 5_000],
        [100_000, 12_000],
      ]),
      99_999,
      1,
      5_000,
    ],
    [
      steps([
        [50_000, 5_000],
        [100_000, 12_000],
      ]),
      100_000,
      1,
      12_000,
    ],
  ] as const)('%o for %i VND at the rate %i: %i TCoin', ([terms, amountVnd, rate, coins]) => {
    expect(bonusFor(terms, amountVnd, rate)).toBe(coins)
  })
})

const amountVnd = fc.integer({ min: 1, max: 100_000_000 })
const rate = fc.integer({ min: 1, max: 100 })
const coins = fc.integer({ min: 1, max: 10_000_000 })
const anyTerms: fc.Arbitrary<PromotionTerms> = fc.oneof(
  fc
    .record({ of: fc.integer({ min: 1, max: 100 }), minimum: fc.nat(1_000_000) })
    .map(({ of, minimum }) => percent(of, minimum)),
  fc
    .record({ amount: coins, minimum: fc.nat(1_000_000) })
    .map(({ amount, minimum }) => fixed(amount, minimum)),
  fc
    .uniqueArray(fc.nat(10_000_000), { minLength: 1, maxLength: 10 })
    .chain((froms) =>
      fc
        .array(coins, { minLength: froms.length, maxLength: froms.length })
        .map((given) =>
          steps(
            froms.toSorted((one, other) => one - other).map((from, at) => [from, given[at] ?? 1] as const),
          ),
        ),
    ),
)
const MANY = { numRuns: hasAllCases ? 100_000 : 10_000 }

/** The figures that a sentence names, in its order. */
const figuresIn = (sentence: string): number[] =>
  (sentence.replace(/\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}/, '').match(/\d[\d,]*/g) ?? []).map((text) =>
    Number(text.replaceAll(',', '')),
  )

/** What a reader works out of the sentence alone, without the rules. */
function readFrom(sentence: string, vnd: number, coinsPerVnd: number): number {
  const conditions = [
    ...sentence.matchAll(
      /(?:([\d,]+) TCoin|([\d]+)% TCoin)(?: cho mỗi đơn nạp| khi nạp)(?: từ ([\d,]+) VND)?/g,
    ),
  ]
  const number = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''))
  let given = 0
  for (const [, amount, share, from] of conditions) {
    if (vnd < number(from)) continue
    given = share === undefined ? number(amount) : Math.floor((vnd * coinsPerVnd * Number(share)) / 100)
  }
  const cap = /tối đa ([\d,]+) TCoin mỗi người/.exec(sentence)?.[1]
  return Math.min(given, number(cap))
}

describe('what the sentence promises is what is given', () => {
  const promised = (terms: PromotionTerms, cap: number): PromisedTerms => ({
    ...terms,
    cap_per_player: cap,
    is_first_recharge: false,
    ends_at: '2026-11-30T17:00:00.000Z',
  })

  test('over random terms, caps, amounts and rates: to who has used nothing yet', () => {
    fc.assert(
      fc.property(anyTerms, coins, amountVnd, rate, (terms, cap, vnd, at) => {
        const sentence = sentenceOf(promised(terms, cap), null)
        const rest = { player: cap, total: Number.MAX_SAFE_INTEGER }
        expect(promiseFor(terms, { amountVnd: vnd, rate: at, rest })).toBe(readFrom(sentence, vnd, at))
      }),
      MANY,
    )
  })

  test('over random payments: never more than the promise, the same for the amount, and the terms for less', () => {
    fc.assert(
      fc.property(
        anyTerms,
        coins,
        fc.tuple(amountVnd, amountVnd),
        rate,
        (terms, left, [asked, arrived], at) => {
          const rest = { player: left, total: Number.MAX_SAFE_INTEGER }
          const promise = promiseFor(terms, { amountVnd: asked, rate: at, rest })
          const grant = grantFor(terms, { promised: promise, amountVnd: arrived, rate: at })
          expect(grant).toBeLessThanOrEqual(promise)
          expect(grant).toBe(arrived < terms.minimum ? 0 : Math.min(promise, bonusFor(terms, arrived, at)))
          expect(grantFor(terms, { promised: promise, amountVnd: asked, rate: at })).toBe(promise)
        },
      ),
      MANY,
    )
  })

  test('what is left to everybody holds the whole promise, or nothing is promised', () => {
    fc.assert(
      fc.property(
        anyTerms,
        fc.tuple(coins, fc.nat(10_000_000)),
        amountVnd,
        rate,
        (terms, [player, total], vnd, at) => {
          const promise = promiseFor(terms, { amountVnd: vnd, rate: at, rest: { player, total } })
          const whole = Math.min(bonusFor(terms, vnd, at), player)
          expect(promise).toBe(whole <= total ? whole : 0)
        },
      ),
      MANY,
    )
  })

  test('each figure of the terms stands in the sentence, and no other', () => {
    fc.assert(
      fc.property(anyTerms, coins, (terms, cap) => {
        const { kind, percent: of, amount, steps: rows, minimum } = terms
        const shown = (vnd: number) => (vnd === 0 ? [] : [vnd])
        const own =
          kind === 'steps'
            ? (rows ?? []).flatMap((row) => [row.amount, ...shown(row.from)])
            : [kind === 'percent' ? of : amount, ...shown(minimum)]
        expect(figuresIn(sentenceOf(promised(terms, cap), null))).toEqual([...own, cap])
      }),
      { numRuns: 5_000 },
    )
  })
})

const END = 'với đơn lập trước 01/12/2026 00:00. Khuyến mãi có thể hết sớm khi đã phát hết ngân sách.'
const twoSteps = steps([
  [50_000, 5_000],
  [100_000, 12_000],
])

test.each<[PromotionTerms, { isFirst?: boolean; channel?: string }, string]>([
  [percent(20), {}, 'Tặng thêm 20% TCoin khi nạp, tối đa 100,000 TCoin mỗi người'],
  [percent(20), { channel: 'MoMo' }, 'Tặng thêm 20% TCoin khi nạp qua MoMo, tối đa 100,000 TCoin mỗi người'],
  [percent(20, 50_000), {}, 'Tặng thêm 20% TCoin khi nạp từ 50,000 VND, tối đa 100,000 TCoin mỗi người'],
  [
    percent(20, 50_000),
    { channel: 'MoMo' },
    'Tặng thêm 20% TCoin khi nạp từ 50,000 VND qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
  [
    percent(20),
    { isFirst: true },
    'Tặng thêm 20% TCoin cho lần nạp đầu tiên, tối đa 100,000 TCoin mỗi người',
  ],
  [
    percent(20),
    { isFirst: true, channel: 'MoMo' },
    'Tặng thêm 20% TCoin cho lần nạp đầu tiên, nếu nạp qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
  [
    percent(20, 50_000),
    { isFirst: true },
    'Tặng thêm 20% TCoin cho lần nạp đầu tiên, nếu nạp từ 50,000 VND, tối đa 100,000 TCoin mỗi người',
  ],
  [
    percent(20, 50_000),
    { isFirst: true, channel: 'MoMo' },
    'Tặng thêm 20% TCoin cho lần nạp đầu tiên, nếu nạp từ 50,000 VND qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
  [fixed(5_000), {}, 'Tặng thêm 5,000 TCoin cho mỗi đơn nạp, tối đa 100,000 TCoin mỗi người'],
  [
    fixed(5_000),
    { channel: 'MoMo' },
    'Tặng thêm 5,000 TCoin cho mỗi đơn nạp qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
  [
    fixed(5_000, 50_000),
    {},
    'Tặng thêm 5,000 TCoin cho mỗi đơn nạp từ 50,000 VND, tối đa 100,000 TCoin mỗi người',
  ],
  [
    fixed(5_000, 50_000),
    { channel: 'MoMo' },
    'Tặng thêm 5,000 TCoin cho mỗi đơn nạp từ 50,000 VND qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
  [fixed(5_000), { isFirst: true }, 'Tặng thêm 5,000 TCoin cho lần nạp đầu tiên'],
  [fixed(500_000), { isFirst: true }, 'Tặng thêm 100,000 TCoin cho lần nạp đầu tiên'],
  [
    fixed(5_000),
    { isFirst: true, channel: 'MoMo' },
    'Tặng thêm 5,000 TCoin cho lần nạp đầu tiên, nếu nạp qua MoMo',
  ],
  [
    fixed(5_000, 50_000),
    { isFirst: true },
    'Tặng thêm 5,000 TCoin cho lần nạp đầu tiên, nếu nạp từ 50,000 VND',
  ],
  [
    fixed(5_000, 50_000),
    { isFirst: true, channel: 'MoMo' },
    'Tặng thêm 5,000 TCoin cho lần nạp đầu tiên, nếu nạp từ 50,000 VND qua MoMo',
  ],
  [
    twoSteps,
    {},
    'Tặng thêm 5,000 TCoin khi nạp từ 50,000 VND, 12,000 TCoin khi nạp từ 100,000 VND, tối đa 100,000 TCoin mỗi người',
  ],
  [
    twoSteps,
    { channel: 'MoMo' },
    'Tặng thêm 5,000 TCoin khi nạp từ 50,000 VND, 12,000 TCoin khi nạp từ 100,000 VND, chỉ qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
  [
    twoSteps,
    { isFirst: true },
    'Tặng thêm cho lần nạp đầu tiên: 5,000 TCoin nếu nạp từ 50,000 VND, 12,000 TCoin nếu nạp từ 100,000 VND, tối đa 100,000 TCoin mỗi người',
  ],
  [
    twoSteps,
    { isFirst: true, channel: 'MoMo' },
    'Tặng thêm cho lần nạp đầu tiên: 5,000 TCoin nếu nạp từ 50,000 VND, 12,000 TCoin nếu nạp từ 100,000 VND, chỉ qua MoMo, tối đa 100,000 TCoin mỗi người',
  ],
])('%o for %o reads naturally, in Vietnam’s time', (terms, { isFirst = false, channel = null }, sentence) => {
  const promised = {
    ...terms,
    cap_per_player: 100_000,
    is_first_recharge: isFirst,
    ends_at: '2026-11-30T17:00:00Z',
  }
  expect(sentenceOf(promised, channel)).toBe(`${sentence}, ${END}`)
})

test('a bonus that is not held says what it depends on', () => {
  expect(conditionOf({ isFirst: false })).toBe(
    'Thưởng được cộng cùng tiền nạp nếu lúc đó ngân sách khuyến mãi còn đủ.',
  )
  expect(conditionOf({ isFirst: true })).toContain('đơn được cộng tiền trước nhận thưởng')
})
