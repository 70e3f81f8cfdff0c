import { formatNumber } from '#contract/format.ts'
import type { Suggestion } from '#contract/operator/bank-transfers.ts'
import type { Unmatched } from '#contract/operator/users.ts'
import { comparableReference } from '#server/modules/recharge-claims/index.ts'
import { findOrderCodes, nearOrderCodes } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { StoredTransfer } from '../operator/bank-transfers.queries.ts'
import { listOpenClaims } from '../operator/claim-answers.queries.ts'
import {
  personsIn,
  rankSuggestions,
  type Clue,
  type SuggestedOrder,
  REASON_TEXTS,
} from './suggestions.rules.ts'
import {
  listOrdersOpenAround,
  listPaidBefore,
  listPlayersNamed,
  listPlayersWithPhones,
  listUnpaidOrders,
  listUnpaidOrdersOfPlayers,
  listTransfersInReview,
  listUnpaidOrdersOf,
  type TransferInReview,
  type UnpaidOrder,
} from './suggestions.queries.ts'

const BY_AMOUNT_MAX = 20
const BY_CLAIM_MAX = 10

type EventTexts = { memo: string | null; full_text: string | null; code: string | null }

/** Whom a transfer that waits for a decision may have been meant for, the most likely first. Never credited by itself. */
export async function suggestFor(
  db: Db,
  transfer: StoredTransfer,
  events: readonly EventTexts[],
): Promise<Suggestion[]> {
  if (transfer.direction === 'out' || transfer.state === 'credited' || transfer.state === 'refunded')
    return []
  return suggestForMoney(db, transfer, events)
}

/** What of a transfer, or of a notification without one, is looked for. */
type Money = Pick<StoredTransfer, 'amount' | 'account_number' | 'bank_ref' | 'booked_at' | 'created_at'> & {
  id?: string
}

export async function suggestForMoney(
  db: Db,
  transfer: Money,
  events: readonly EventTexts[],
): Promise<Suggestion[]> {
  const texts = events
    .flatMap(({ memo, full_text, code }) => [code, memo, full_text])
    .filter((text): text is string => text !== null && text !== '')
  const { amount, account_number: accountNumber } = transfer
  const at = new Date(transfer.booked_at ?? transfer.created_at)
  const codes = { written: new Set(findOrderCodes(...texts)), near: new Set(nearOrderCodes(...texts)) }
  const clues = [
    ...(await cluesInText(db, texts)),
    ...(transfer.id === undefined ? [] : await cluesOfPayer(db, transfer.id)),
    ...(await cluesOfClaims(db, transfer)),
  ]
  const orders = [
    ...(await listUnpaidOrders(db, [...codes.written, ...codes.near])),
    ...(await listOrdersOpenAround(db, { accountNumber, amount, at, limit: BY_AMOUNT_MAX })),
    ...(await listUnpaidOrdersOfPlayers(db, { userIds: clues.map(({ user }) => user.id), at })),
  ]
  const ranked = rankSuggestions({
    transfer: { amount, accountNumber, at },
    clues,
    orders: onceEach(orders),
    codes,
  })
  return ranked.map((one) => ({ ...one, reasons: one.reasons.map((reason) => quoting(reason, one, texts)) }))
}

const QUOTED_MAX = 120

/** A reason that stands in what the payer wrote quotes it: an operator judges the words, not the conclusion. */
function quoting(
  reason: Suggestion['reasons'][number],
  { user, order }: Suggestion,
  texts: readonly string[],
): Suggestion['reasons'][number] {
  const isThere: Partial<Record<typeof reason.kind, (text: string) => boolean>> = {
    code: (text) => findOrderCodes(text).includes(order?.code ?? ''),
    'near-code': (text) => nearOrderCodes(text).includes(order?.code ?? ''),
    username: (text) => personsIn([text]).usernames.includes(user.username.toLowerCase()),
    phone: (text) => personsIn([text]).phones.length > 0,
  }
  const text = texts.find((one) => isThere[reason.kind]?.(one))
  return text === undefined
    ? reason
    : { ...reason, text: `${reason.text}: “${text.slice(0, QUOTED_MAX).trim()}”` }
}

const onceEach = (orders: readonly SuggestedOrder[]) => [
  ...new Map(orders.map((order) => [order.code, order])).values(),
]

async function cluesInText(db: Db, texts: readonly string[]): Promise<Clue[]> {
  const { phones, usernames } = personsIn(texts)
  const reached = await listPlayersWithPhones(db, phones)
  const named = await listPlayersNamed(db, usernames)
  return [
    ...reached.map((user) => ({ reason: 'phone' as const, user, about: user.username })),
    ...named.map((user) => ({ reason: 'username' as const, user, about: user.username })),
  ]
}

/** Players who were credited with what came from the same account before. */
async function cluesOfPayer(db: Db, transferId: string): Promise<Clue[]> {
  const players = await listPaidBefore(db, transferId)
  return players.map(({ count, ...user }) => ({ reason: 'payer', user, about: formatNumber(count) }))
}

/** Players with an open claim about this amount; about this very transfer when the bank's reference is in it. */
async function cluesOfClaims(db: Db, { amount, bank_ref }: Money): Promise<Clue[]> {
  const reference = bank_ref === null ? null : comparableReference(bank_ref)
  const claims = await listOpenClaims(db, amount, BY_CLAIM_MAX)
  return claims.flatMap(({ id, user_id, username, bank_reference }) => {
    const clue = { user: { id: user_id, username }, about: id, claimId: id }
    const isSame = reference !== null && comparableReference(bank_reference ?? '') === reference
    const ofAmount: Clue = { ...clue, reason: 'claim' }
    return isSame ? [ofAmount, { ...clue, reason: 'claim-reference' as const }] : [ofAmount]
  })
}

const SHOWN_MAX = 10
const DAY_MS = 86_400_000
/** An order is open for half an hour. */
const ORDER_MS = 1_800_000

type Player = { id: string; username: string; phone: string | null }

type Likeness = { why: string; order: UnpaidOrder | undefined }

/** Bank transfers in review that may be a player's, the newest first, each beside the unpaid order it may be for. */
export async function listUnmatchedOf(db: Db, player: Player): Promise<Unmatched[]> {
  const orders = await listUnpaidOrdersOf(db, player.id)
  const transfers = await listTransfersInReview(db, { userId: player.id, orders })
  const found: Unmatched[] = []
  for (const transfer of transfers) {
    const likeness = likenessOf(transfer, player, orders)
    if (likeness === null) continue
    const { user_id: _user, order_code: _code, texts: _texts, ...shown } = transfer
    found.push({ ...shown, why: likeness.why, order: likeness.order ? toShown(likeness.order) : null })
    if (found.length === SHOWN_MAX) break
  }
  return found
}

const toShown = ({ code, amount, created_at }: UnpaidOrder) => ({
  code,
  amount,
  created_at: created_at.toISOString(),
})

/** Why a transfer may be this player's, the strongest reason first; null when there is no reason. */
function likenessOf(
  transfer: TransferInReview,
  player: Player,
  orders: readonly UnpaidOrder[],
): Likeness | null {
  const { texts } = transfer
  const similar = orders.find((order) => isLike(transfer, order))
  const byCode = orders.find(
    ({ code }) => code === transfer.order_code || findOrderCodes(...texts).includes(code),
  )
  if (byCode) return { why: REASON_TEXTS.code(byCode.code), order: byCode }
  if (transfer.user_id === player.id) return { why: 'Đang giữ lại cho người chơi này', order: similar }
  // It belongs to somebody else.
  if (transfer.user_id !== null) return null
  const near = orders.length === 0 ? undefined : byNearCode(texts, orders)
  if (near) return { why: REASON_TEXTS['near-code'](near.code), order: near }
  const { usernames, phones } = personsIn(texts)
  if (usernames.includes(player.username.toLowerCase())) {
    return { why: 'Nội dung có tên đăng nhập của người chơi', order: similar }
  }
  if (player.phone !== null && phones.includes(player.phone)) {
    return { why: 'Nội dung có số điện thoại của người chơi', order: similar }
  }
  return similar ? { why: 'Cùng tài khoản, cùng số tiền và đơn mở trong vòng 24 giờ', order: similar } : null
}

function byNearCode(texts: readonly string[], orders: readonly UnpaidOrder[]): UnpaidOrder | undefined {
  const codes = new Set(nearOrderCodes(...texts))
  return orders.find(({ code }) => codes.has(code))
}

/** Same amount on the same account, and sent while the order was open or within a day after it. */
function isLike(transfer: TransferInReview, order: UnpaidOrder): boolean {
  const passed_ms = Date.parse(transfer.created_at) - order.created_at.getTime()
  return (
    transfer.amount === order.amount &&
    transfer.account_number === order.account_number &&
    passed_ms >= 0 &&
    passed_ms <= DAY_MS + ORDER_MS
  )
}
