import { makeOrderCode } from '#server/modules/recharge/order-code.rules.ts'
import { ACB, MOMO, PAYMENT_KEYS, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import type { Random } from '../../harness/numbers.ts'

/** Receiving accounts by the channel of an order. */
export const ACCOUNTS = { 1: MOMO.number, 2: VIETCOMBANK.number, 3: ACB.number }
export const PARTNER_CODE = PAYMENT_KEYS.momo.partnerCode
export const MIN_VND = 10_000
export const MAX_VND = 50_000_000

type Channel = keyof typeof ACCOUNTS
/** A memo, and the codes of real or made-up orders that can still be read in it. */
type Memo = { memo: string; readable: string[] }

export const codeOf = (random: Random) => makeOrderCode((max) => random.below(max))

/** What happens to one order and its money. */
export type OrderCase = {
  /** In the random choice. */
  weight: number
  channels: readonly Channel[]
  /** Minutes from the order to its payment. */
  paidAfter(random: Random): number
  amount(random: Random, requested: number): number
  account(random: Random, ordered: string): string
  memo(random: Random, code: string, orders: readonly { code: string }[]): Memo
  direction: 'in' | 'out'
  /** How many of a hundred were made at another rate than today's. */
  atOtherRate: number
  isCancelled: boolean
}

const USUAL: OrderCase = {
  weight: 0,
  channels: [1, 2, 2, 3, 3],
  paidAfter: (random) => 1 + random.below(27),
  amount: (_, requested) => requested,
  account: (_, ordered) => ordered,
  memo: (random, code) => ({ memo: random.below(2) === 0 ? harmless(code, random) : code, readable: [code] }),
  direction: 'in',
  atOtherRate: 0,
  isCancelled: false,
}

const late = (random: Random) => 40 + random.below(70 * 60)

/** What differs from the usual. */
const CASES = {
  exact: { weight: 34, atOtherRate: 10 },
  under: {
    weight: 6,
    amount: (random, requested) => Math.max(MIN_VND, requested - 1_000 * (1 + random.below(50))),
    atOtherRate: 10,
  },
  over: { weight: 6, amount: (random, requested) => requested + 1 + random.below(100_000) },
  'below-minimum': { weight: 2, amount: (random) => 1 + random.below(MIN_VND - 1) },
  'above-maximum': { weight: 1, amount: (random) => MAX_VND + 1 + random.below(1_000_000) },
  twice: { weight: 6 },
  late: { weight: 7, paidAfter: late },
  'late-other-rate': { weight: 2, paidAfter: late, atOtherRate: 100 },
  'too-late': { weight: 3, paidAfter: (random) => 73 * 60 + random.below(100 * 60) },
  cancelled: { weight: 3, isCancelled: true },
  'no-code': { weight: 9, memo: (random, code) => ({ memo: harmful(code, random), readable: [] }) },
  'two-codes': { weight: 3, memo: withAnother },
  'unknown-code': { weight: 3, memo: (random) => USUAL.memo(random, codeOf(random), []) },
  foreign: { weight: 3, account: () => '99998888777' },
  stranger: {
    weight: 3,
    account: () => '99998888777',
    memo: (random, code) => ({ memo: harmful(code, random), readable: [] }),
  },
  'wrong-account': {
    weight: 3,
    account: (random, ordered) => random.pick(Object.values(ACCOUNTS).filter((one) => one !== ordered)),
  },
  outgoing: { weight: 3, direction: 'out' },
  trial: { weight: 1 },
  failed: { weight: 2, channels: [1] },
  conflict: { weight: 2 },
  unreported: { weight: 2, channels: [2, 3] },
} satisfies Record<string, Partial<OrderCase>>

export type CaseName = keyof typeof CASES

/** Each name as often as it weighs. */
export const CASE_NAMES = (Object.keys(CASES) as CaseName[]).flatMap((name) =>
  Array.from({ length: CASES[name].weight }, () => name),
)

export const caseOf = (name: CaseName): OrderCase => ({ ...USUAL, ...CASES[name] })

function withAnother(random: Random, code: string, orders: readonly { code: string }[]): Memo {
  const other = random.pick(orders).code
  return { memo: `${code} ${other.toLowerCase()}`, readable: [...new Set([code, other])] }
}

type Change = (code: string, random: Random) => string

/** How banks and payers change a memo so that its code can still be read. */
const shapes: readonly Change[] = [
  (code) => code.toLowerCase(),
  (code) => `MBVCB.3278907687.${code}.CT tu 0011000000009 NGUYEN VAN A toi 0011000000001 CONG TY B`,
  (code) => `MBVCB.15444160238.6218BFTVG2XXXXXX.${code}`,
  (code, random) => `884114.201126.${100_000 + random.below(900_000)}.${code}`,
  (code) => `311447.201126.213735.15330734312-0901234567-${code}`,
  (code) => `${code} GD 789604-201126 00:05:38`,
  (code, random) => {
    const cut = 4 + random.below(8)
    return `${code.slice(0, cut)} ${code.slice(cut)}`
  },
  (code) => code.match(/.{1,4}/g)!.join('-'),
  (code) => [...code].join(' '),
  (code) => `Nạp tiền ${code} cảm ơn`,
  (code) => `naptcoin${code.toLowerCase()}xin cam on`,
  (code) => `${code}.${code}`,
  // The same letters with diacritics, as a phone's keyboard may add them.
  (code) => code.normalize('NFD').replace(/A/g, 'Á').replace(/E/g, 'Ệ').replace(/D/g, 'Đ'),
  (code) => `Ủng hộ_${code}_0912345678 20261120`,
]

export const harmless: Change = (code, random) => random.pick(shapes)(code, random)

/** How they destroy the code. */
const breaks: readonly Change[] = [
  (code, random) => code.slice(0, 3 + random.below(9)),
  (code) => code.slice(1),
  (code) => code.slice(0, -1),
  () => 'chuyen tien',
  () => '',
  (_code, random) => `naptien thuthach${random.below(1_000)}`,
  () => 'MBVCB.15444160238.6218BFTVG2XXXXXX.NGUYEN VAN A chuyen FT24255276428461',
]

const harmful: Change = (code, random) => random.pick(breaks)(code, random)
