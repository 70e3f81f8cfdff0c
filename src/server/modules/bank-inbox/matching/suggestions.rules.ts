import type { Suggestion } from '#contract/operator/bank-transfers.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'

/** An unpaid order that a transfer may have been sent for; its amount in VND. */
export type SuggestedOrder = {
  code: string
  amount: number
  status: RechargeOrder['status']
  created_at: Date
  accountNumber: string
  userId: string
  username: string
}

type SuggestionReason = Suggestion['reasons'][number]['kind']

/**
 * The weight of each reason. Those that name the player or the order stand above those that many transfers share, and
 * several of these together above one: an order of this amount that was open within the hour weighs more than a name in
 * the text alone, whose player may have meant another.
 */
const POINTS: Record<SuggestionReason, number> = {
  code: 100,
  'claim-reference': 80,
  'near-code': 60,
  phone: 45,
  username: 40,
  payer: 40,
  claim: 35,
  amount: 30,
  'within-hour': 20,
}

/** From so many points on. */
const STRENGTHS = { strong: 80, fair: 50 }

/** A reason as the operator reads it. */
export const REASON_TEXTS = {
  code: (code: string) => `Nội dung có mã ${code}`,
  'near-code': (code: string) => `Nội dung chỉ sai một ký tự so với mã ${code}`,
  phone: (username: string) => `Nội dung có số điện thoại của ${username}`,
  username: (username: string) => `Nội dung có tên đăng nhập ${username}`,
  payer: (times: string) => `Cùng tài khoản gửi với ${times} khoản trước đã cộng cho người này`,
  claim: (id: string) => `Người này báo đã chuyển đúng số tiền này (yêu cầu số ${id})`,
  'claim-reference': (id: string) => `Người này báo đúng mã ngân hàng của khoản này (yêu cầu số ${id})`,
  amount: () => 'Đơn đúng số tiền này, vào đúng tài khoản này',
  'within-hour': () => 'Đơn mở trong vòng một giờ trước khi tiền đến',
} satisfies Record<SuggestionReason, (about: string) => string>

/** That a transfer may be a player's. `about` stands in the reason's text. */
export type Clue = {
  reason: Exclude<SuggestionReason, 'code' | 'near-code' | 'amount' | 'within-hour'>
  user: { id: string; username: string }
  about: string
  claimId?: string
}

export type Evidence = {
  transfer: { amount: number; accountNumber: string; at: Date }
  clues: readonly Clue[]
  /** Unpaid orders of whoever is named, and those like the transfer; each once. */
  orders: readonly SuggestedOrder[]
  /** Codes that stand in the text, and those one character off. */
  codes: { written: ReadonlySet<string>; near: ReadonlySet<string> }
}

/** More would be no help. */
export const SUGGESTIONS_MAX = 10
/** Of one player: a second order may be the one that was meant. */
const ORDERS_OF_ONE_MAX = 2
const HOUR_MS = 3_600_000
/** Banks write whole seconds or minutes, by clocks of their own. */
const CLOCKS_APART_MS = 120_000

type Reason = Suggestion['reasons'][number]

/**
 * Whom a transfer may be for, the most likely first: each player with the order that fits, or without one, and every
 * reason for it. The same evidence always gives the same list.
 */
export function rankSuggestions({ transfer, clues, orders, codes }: Evidence): Suggestion[] {
  const people = new Map<string, { user: Clue['user']; clues: Clue[]; orders: SuggestedOrder[] }>()
  const personOf = (user: Clue['user']) => {
    const person = people.get(user.id) ?? { user, clues: [], orders: [] }
    people.set(user.id, person)
    return person
  }
  for (const clue of clues) personOf(clue.user).clues.push(clue)
  for (const order of orders) personOf({ id: order.userId, username: order.username }).orders.push(order)

  const ranked = [...people.values()].flatMap(({ user, clues: own, orders: theirs }) => {
    const about = { user, claim_id: own.find(({ claimId }) => claimId !== undefined)?.claimId ?? null }
    const known = own.map(({ reason, about: what }) => reasonOf(reason, what))
    const fitting = theirs
      .map((order) => ({ order, reasons: [...reasonsOf(order, { transfer, codes }), ...known] }))
      .filter(({ reasons }) => reasons.length > known.length)
      .map(({ order, reasons }) => suggestionOf({ ...about, order, reasons }, transfer.at))
      .sort(byLikelihood)
      .slice(0, ORDERS_OF_ONE_MAX)
    if (fitting.length > 0) return fitting
    return known.length > 0 ? [suggestionOf({ ...about, order: null, reasons: known }, transfer.at)] : []
  })
  return ranked
    .sort(byLikelihood)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ suggestion }) => suggestion)
}

function reasonsOf(
  order: SuggestedOrder,
  { transfer, codes }: Pick<Evidence, 'transfer' | 'codes'>,
): Reason[] {
  const reasons: Reason[] = []
  if (codes.written.has(order.code)) reasons.push(reasonOf('code', order.code))
  else if (codes.near.has(order.code)) reasons.push(reasonOf('near-code', order.code))
  const isOfAmount = order.amount === transfer.amount && order.accountNumber === transfer.accountNumber
  if (isOfAmount) reasons.push(reasonOf('amount', ''))
  const age_ms = transfer.at.getTime() - order.created_at.getTime()
  if (age_ms >= -CLOCKS_APART_MS && age_ms <= HOUR_MS) reasons.push(reasonOf('within-hour', ''))
  return reasons
}

const reasonOf = (kind: SuggestionReason, about: string): Reason => ({
  kind,
  text: REASON_TEXTS[kind](about),
})

type Ranked = { suggestion: Suggestion; points: number; distance_ms: number }

type Found = Pick<Suggestion, 'user' | 'claim_id'> & { order: SuggestedOrder | null; reasons: Reason[] }

function suggestionOf({ order, reasons, ...about }: Found, at: Date): Ranked {
  const once = reasons.filter(({ kind }, place) => reasons.findIndex((one) => one.kind === kind) === place)
  const points = once.reduce((sum, { kind }) => sum + POINTS[kind], 0)
  const strength = points >= STRENGTHS.strong ? 'strong' : points >= STRENGTHS.fair ? 'fair' : 'weak'
  return {
    points,
    distance_ms:
      order === null ? Number.MAX_SAFE_INTEGER : Math.abs(at.getTime() - order.created_at.getTime()),
    suggestion: {
      ...about,
      strength,
      reasons: once.sort((one, other) => POINTS[other.kind] - POINTS[one.kind]),
      order: order && {
        code: order.code,
        amount: order.amount,
        status: order.status,
        created_at: order.created_at.toISOString(),
      },
    },
  }
}

/** More points, then the order made nearer to the transfer, then by name, so that equals have a fixed order. */
function byLikelihood(one: Ranked, other: Ranked): number {
  return (
    other.points - one.points ||
    one.distance_ms - other.distance_ms ||
    one.suggestion.user.username.localeCompare(other.suggestion.user.username)
  )
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/

/** A moment as ISO 8601, or a day in Vietnam: where it begins, or where it ends. Null for anything else. */
export function momentOf(text: string, isEnd: boolean): Date | null {
  if (DAY.test(text)) {
    const day = vietnamDayBounds(text)
    return (isEnd ? day?.end : day?.start) ?? null
  }
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** What is looked for in the text of a transfer: names as they stand there, and phones in their canonical form. */
export function personsIn(texts: readonly string[]): { usernames: string[]; phones: string[] } {
  const usernames = new Set<string>()
  const phones = new Set<string>()
  for (const text of texts) {
    const searched = text.slice(0, TEXT_MAX)
    for (const word of searched.match(/[A-Za-z0-9]{5,20}/g) ?? []) usernames.add(word.toLowerCase())
    for (const [, number] of searched.matchAll(/(?<!\d)(?:\+?84|0)([35789]\d{8})(?!\d)/g)) {
      phones.add(`84${number}`)
    }
  }
  return { usernames: [...usernames].slice(0, WORDS_MAX), phones: [...phones].slice(0, WORDS_MAX) }
}

const TEXT_MAX = 500
const WORDS_MAX = 60
