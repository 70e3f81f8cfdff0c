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

/** What of a transfer, or of a notification without one, is looked for, and the texts of what reports it. */
type Money = Pick<StoredTransfer, 'amount' | 'account_number' | 'bank_ref' | 'booked_at' | 'created_at'> & {
  id?: string
  events: readonly EventTexts[]
}

type Searched = ReturnType<typeof searchedOf>

function searchedOf({ events, amount, account_number: accountNumber, ...money }: Money) {
  const texts = events
    .flatMap(({ memo, full_text, code }) => [code, memo, full_text])
    .filter((text): text is string => text !== null && text !== '')
  return {
    texts,
    transfer: { amount, accountNumber, at: new Date(money.booked_at ?? money.created_at) },
    reference: money.bank_ref === null ? null : comparableReference(money.bank_ref),
    id: money.id,
    codes: { written: new Set(findOrderCodes(...texts)), near: new Set(nearOrderCodes(...texts)) },
    persons: personsIn(texts),
  }
}

/**
 * Whom money that waits for a decision may have been meant for, of each the most likely first, by the same number of statements
 * for one and for many. Never credited by itself.
 */
export async function suggestForEach(db: Db, money: readonly Money[]): Promise<Suggestion[][]> {
  const searched = money.map((one) => searchedOf(one))
  const cluesOf = await readClues(db, searched)
  const asked = searched.map((one, place) => ({ ...one, place, clues: cluesOf(one) }))
  const ordersOf = await readOrders(db, asked)
  return asked.map((one) =>
    rankSuggestions({ ...one, orders: onceEach(ordersOf(one)) }).map((found) => ({
      ...found,
      reasons: found.reasons.map((reason) => quoting(reason, found, one.texts)),
    })),
  )
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

/** Of so many people or orders in one text none is more likely than another. */
const IN_TEXT_MAX = 10

const presentOf = <Name, Row>(rows: ReadonlyMap<Name, Row>, names: Iterable<Name>): Row[] =>
  [...names]
    .map((name) => rows.get(name))
    .filter((row) => row !== undefined)
    .slice(0, IN_TEXT_MAX)

async function readClues(db: Db, searched: readonly Searched[]): Promise<(one: Searched) => Clue[]> {
  const inText = await readPersons(db, searched)
  const ofPayer = await readPayers(db, searched)
  const ofClaims = await readClaims(db, searched)
  return (one) => [...inText(one), ...ofPayer(one), ...ofClaims(one)]
}

async function readPersons(db: Db, searched: readonly Searched[]): Promise<(one: Searched) => Clue[]> {
  const every = <Name>(namesOf: (one: Searched) => Name[]) => [...new Set(searched.flatMap(namesOf))]
  const reached = await listPlayersWithPhones(
    db,
    every(({ persons }) => persons.phones),
  )
  const named = await listPlayersNamed(
    db,
    every(({ persons }) => persons.usernames),
  )
  const byPhone = new Map(reached.map(({ name, ...user }) => [name, user]))
  const byName = new Map(named.map(({ name, ...user }) => [name, user]))
  return ({ persons }) => [
    ...presentOf(byPhone, persons.phones).map((user) => ({
      reason: 'phone' as const,
      user,
      about: user.username,
    })),
    ...presentOf(byName, persons.usernames).map((user) => ({
      reason: 'username' as const,
      user,
      about: user.username,
    })),
  ]
}

/** Players who were credited with what came from the same account before. */
async function readPayers(db: Db, searched: readonly Searched[]): Promise<(one: Searched) => Clue[]> {
  const ids = searched.flatMap(({ id }) => id ?? [])
  const paid = Map.groupBy(await listPaidBefore(db, ids), ({ transferId }) => transferId)
  return ({ id = '' }) =>
    (paid.get(id) ?? []).map(({ id: userId, username, count }) => ({
      reason: 'payer',
      user: { id: userId, username },
      about: formatNumber(count),
    }))
}

/** Players with an open claim about this amount; about this very transfer when the bank's reference is in it. */
async function readClaims(db: Db, searched: readonly Searched[]): Promise<(one: Searched) => Clue[]> {
  const amounts = [...new Set(searched.map(({ transfer }) => transfer.amount))]
  const claims = Map.groupBy(await listOpenClaims(db, amounts, BY_CLAIM_MAX), ({ amount }) => amount)
  return ({ transfer, reference }) =>
    (claims.get(transfer.amount) ?? []).flatMap(({ id, user_id, username, bank_reference }) => {
      const clue = { user: { id: user_id, username }, about: id, claimId: id }
      const isSame = reference !== null && comparableReference(bank_reference ?? '') === reference
      const ofAmount: Clue = { ...clue, reason: 'claim' }
      return isSame ? [ofAmount, { ...clue, reason: 'claim-reference' as const }] : [ofAmount]
    })
}

type Asked = Searched & { place: number; clues: Clue[] }

/** Unpaid orders that a text names, those like the money, and those of whoever the clues name. */
async function readOrders(db: Db, asked: readonly Asked[]): Promise<(one: Asked) => SuggestedOrder[]> {
  const codesOf = ({ codes }: Asked) => [...codes.written, ...codes.near]
  const named = await listUnpaidOrders(db, [...new Set(asked.flatMap(codesOf))])
  const byCode = new Map(named.map((order) => [order.code, order]))
  const around = await listOrdersOpenAround(
    db,
    asked.map(({ transfer }) => transfer),
    BY_AMOUNT_MAX,
  )
  const people = asked.flatMap(({ place, clues, transfer }) =>
    [...new Set(clues.map(({ user }) => user.id))].map((userId) => ({ place, userId, at: transfer.at })),
  )
  const theirs = await listUnpaidOrdersOfPlayers(db, people)
  const found = Map.groupBy([...around, ...theirs], ({ place }) => place)
  return (one) => [...presentOf(byCode, codesOf(one)), ...(found.get(one.place) ?? [])]
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
