import { describe, expect, test } from 'vitest'
import {
  rankSuggestions,
  SUGGESTIONS_MAX,
  type Clue,
  type Evidence,
  type SuggestedOrder,
  momentOf,
  personsIn,
} from './suggestions.rules.ts'

const AT = new Date('2026-11-20T10:00:00Z')
const MINUTE_MS = 60_000
const person = (name: string) => ({ id: name, username: name })

/** An unpaid order of 50,000 on the account of the transfer, made `minutes` before it. */
const order = (
  code: string,
  userId: string,
  change: { minutes?: number; amount?: number; account?: string } = {},
) => ({
  code,
  userId,
  username: userId,
  amount: change.amount ?? 50_000,
  accountNumber: change.account ?? '001',
  status: 'expired' as const,
  created_at: new Date(AT.getTime() - (change.minutes ?? 300) * MINUTE_MS),
})

const clue = (reason: Clue['reason'], name: string, about = 'x'): Clue => ({
  reason,
  user: person(name),
  about,
})

function ranked({ clues = [], orders = [], written = [], near = [] }: Partial<Given> = {}) {
  const evidence: Evidence = {
    transfer: { amount: 50_000, accountNumber: '001', at: AT },
    clues,
    orders,
    codes: { written: new Set(written), near: new Set(near) },
  }
  return rankSuggestions(evidence).map(({ user, order: found, reasons, strength, claim_id }) => ({
    who: user.username,
    code: found?.code ?? null,
    why: reasons.map(({ kind }) => kind),
    strength,
    claim_id,
  }))
}

type Given = { clues: Clue[]; orders: SuggestedOrder[]; written: string[]; near: string[] }

describe('each reason alone', () => {
  test.each<[string, Partial<Given>, string, string | null]>([
    [
      'the order’s code in the text',
      { orders: [order('A', 'an', { amount: 1 })], written: ['A'] },
      'code',
      'A',
    ],
    [
      'a code one character off',
      { orders: [order('A', 'an', { amount: 1 })], near: ['A'] },
      'near-code',
      'A',
    ],
    ['the same amount on the same account', { orders: [order('A', 'an')] }, 'amount', 'A'],
    [
      'an order made within the hour',
      {
        orders: [order('A', 'an', { amount: 1, minutes: 60 }), order('B', 'an', { amount: 1, minutes: 61 })],
      },
      'within-hour',
      'A',
    ],
    ['a phone in the text', { clues: [clue('phone', 'an')] }, 'phone', null],
    ['a username in the text', { clues: [clue('username', 'an')] }, 'username', null],
    ['the payer of earlier money', { clues: [clue('payer', 'an')] }, 'payer', null],
    ['an open claim of the amount', { clues: [clue('claim', 'an')] }, 'claim', null],
    [
      'a claim with the bank’s reference',
      { clues: [clue('claim-reference', 'an')] },
      'claim-reference',
      null,
    ],
  ])('%s', (_, given, reason, code) => {
    expect(ranked(given)).toMatchObject([{ who: 'an', code, why: [reason] }])
  })

  test.each<[string, SuggestedOrder]>([
    ['another amount', order('A', 'an', { amount: 50_001 })],
    ['another account', order('A', 'an', { account: '002' })],
    ['made more than an hour before', order('A', 'an', { amount: 1, minutes: 61 })],
    ['made after the money came', order('A', 'an', { amount: 1, minutes: -3 })],
  ])('an order with nothing but %s is not suggested', (_, found) => {
    expect(ranked({ orders: [found] })).toEqual([])
  })
})

describe('reasons together', () => {
  test('of one player are one suggestion, with the order that fits and the strongest reason first', () => {
    const clues = [clue('username', 'an'), clue('payer', 'an'), { ...clue('claim', 'an'), claimId: '7' }]
    const orders = [order('A', 'an', { minutes: 10 }), order('B', 'an', { amount: 1 })]
    expect(ranked({ clues, orders })).toEqual([
      {
        who: 'an',
        code: 'A',
        why: ['username', 'payer', 'claim', 'amount', 'within-hour'],
        strength: 'strong',
        claim_id: '7',
      },
    ])
  })

  test('outweigh a single one that weighs more than each of them', () => {
    const clues = [clue('phone', 'an'), clue('claim', 'binh'), clue('payer', 'binh')]
    expect(ranked({ clues }).map(({ who }) => who)).toEqual(['binh', 'an'])
  })

  test('the written code stands above all, a spoilt one above an amount, and less likely ones are called so', () => {
    const orders = [order('A', 'an', { minutes: 5 }), order('B', 'binh', { amount: 1 }), order('C', 'cuong')]
    expect(ranked({ orders, written: ['B'], near: ['C'] })).toMatchObject([
      { who: 'binh', strength: 'strong' },
      { who: 'cuong', why: ['near-code', 'amount'], strength: 'strong' },
      { who: 'an', why: ['amount', 'within-hour'], strength: 'fair' },
    ])
    expect(ranked({ orders: [order('A', 'an')] })).toMatchObject([{ strength: 'weak' }])
  })

  test('the same reason twice counts once', () => {
    const clues = [clue('claim', 'an', '1'), clue('claim', 'an', '2'), clue('username', 'binh')]
    expect(ranked({ clues }).map(({ who, why }) => [who, why])).toEqual([
      ['binh', ['username']],
      ['an', ['claim']],
    ])
  })
})

describe('the list', () => {
  test('has equals by how near the order is to the money, then by name, in whatever order they were found', () => {
    const orders = [order('A', 'an', { minutes: 200 }), order('B', 'binh', { minutes: 100 })]
    const clues = [clue('username', 'dung'), clue('username', 'chi')]
    const expected = ['chi', 'dung', 'binh', 'an']
    expect(ranked({ orders, clues }).map(({ who }) => who)).toEqual(expected)
    expect(ranked({ orders: orders.toReversed(), clues: clues.toReversed() }).map(({ who }) => who)).toEqual(
      expected,
    )
  })

  test('has two orders of a player at most, and ten suggestions', () => {
    const own = [1, 2, 3].map((minutes) => order(`A${minutes}`, 'an', { minutes }))
    expect(ranked({ orders: own }).map(({ code }) => code)).toEqual(['A1', 'A2'])
    const many = Array.from({ length: 30 }, (_, n) => order(`M${n}`, `nguoi${n}`))
    expect(ranked({ orders: many })).toHaveLength(SUGGESTIONS_MAX)
  })

  test('has each reason in words', () => {
    const [{ reasons } = { reasons: [] }] = rankSuggestions({
      transfer: { amount: 50_000, accountNumber: '001', at: AT },
      clues: [clue('payer', 'an', '3'), clue('phone', 'an', 'an')],
      orders: [order('TCX', 'an', { minutes: 1 })],
      codes: { written: new Set(['TCX']), near: new Set(['TCX']) },
    })
    expect(reasons.map(({ text }) => text)).toEqual([
      'Nội dung có mã TCX',
      'Nội dung có số điện thoại của an',
      'Cùng tài khoản gửi với 3 khoản trước đã cộng cho người này',
      'Đơn đúng số tiền này, vào đúng tài khoản này',
      'Đơn mở trong vòng một giờ trước khi tiền đến',
    ])
  })
})

describe('a moment in a filter', () => {
  test.each([
    ['2026-11-21', false, '2026-11-20T17:00:00.000Z'],
    ['2026-11-21', true, '2026-11-21T17:00:00.000Z'],
    ['2026-11-21T10:00:00+07:00', true, '2026-11-21T03:00:00.000Z'],
    ['2026-11-21T03:00Z', false, '2026-11-21T03:00:00.000Z'],
  ])('%s (end: %s) is %s', (text, isEnd, expected) => {
    expect(momentOf(text, isEnd)?.toISOString()).toBe(expected)
  })

  test.each([
    '',
    'hôm qua',
    '2026-02-31',
    '2026-13-01',
    '2026-11-21T25:00:00Z',
    '2026-11-21 10:00',
    '20261121',
  ])('%o is none', (text) => {
    expect(momentOf(text, false)).toBeNull()
  })
})

describe('whom a text names', () => {
  test('words that could be a username, in small letters, and phones in their canonical form', () => {
    const { usernames, phones } = personsIn([
      '311447.15330734312-0901234567-nap cho TuanNinja',
      'SDT +84912345678',
    ])
    expect(usernames).toContain('tuanninja')
    expect(usernames).not.toContain('nap')
    expect(phones).toEqual(['84901234567', '84912345678'])
  })

  test('digits within a longer number are no phone', () => {
    expect(personsIn(['19009012345678', '09012345678']).phones).toEqual([])
  })

  test('however long it is, few words are looked for', () => {
    const text = Array.from({ length: 5_000 }, (_, n) => `nguoi${n} 0901${String(n).padStart(6, '0')}`).join(
      ' ',
    )
    const { usernames, phones } = personsIn([text, text.slice(300), text.slice(5_000)])
    expect(Math.max(usernames.length, phones.length)).toBeLessThanOrEqual(60)
  })
})
