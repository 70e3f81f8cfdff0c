import type { Suggestion } from '#contract/operator/bank-transfers.ts'
import { formatNumber } from '#contract/format.ts'
import { comparableReference } from '#server/modules/recharge-claims/index.ts'
import { findOrderCodes, nearOrderCodes } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { personsIn } from './bank-transfers.rules.ts'
import { listOpenClaims } from '../operator/claim-answers.queries.ts'
import type { StoredTransfer } from '../operator/inbox.queries.ts'
import {
  listOrdersOpenAround,
  listPaidBefore,
  listPlayersNamed,
  listPlayersWithPhones,
  listUnpaidOrders,
  listUnpaidOrdersOfPlayers,
} from './suggestions.queries.ts'
import { rankSuggestions, type Clue, type SuggestedOrder } from './suggestions.rules.ts'

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
  const texts = events
    .flatMap(({ memo, full_text, code }) => [code, memo, full_text])
    .filter((text): text is string => text !== null && text !== '')
  const { amount, account_number: accountNumber } = transfer
  const at = new Date(transfer.booked_at ?? transfer.created_at)
  const codes = { written: new Set(findOrderCodes(...texts)), near: new Set(nearOrderCodes(...texts)) }
  const clues = [
    ...(await cluesInText(db, texts)),
    ...(await cluesOfPayer(db, transfer.id)),
    ...(await cluesOfClaims(db, transfer)),
  ]
  const orders = [
    ...(await listUnpaidOrders(db, [...codes.written, ...codes.near])),
    ...(await listOrdersOpenAround(db, { accountNumber, amount, at, limit: BY_AMOUNT_MAX })),
    ...(await listUnpaidOrdersOfPlayers(db, { userIds: clues.map(({ user }) => user.id), at })),
  ]
  return rankSuggestions({ transfer: { amount, accountNumber, at }, clues, orders: onceEach(orders), codes })
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
async function cluesOfClaims(db: Db, { amount, bank_ref }: StoredTransfer): Promise<Clue[]> {
  const reference = bank_ref === null ? null : comparableReference(bank_ref)
  const claims = await listOpenClaims(db, amount, BY_CLAIM_MAX)
  return claims.flatMap(({ id, user_id, username, bank_reference }) => {
    const clue = { user: { id: user_id, username }, about: id, claimId: id }
    const isSame = reference !== null && comparableReference(bank_reference ?? '') === reference
    const ofAmount: Clue = { ...clue, reason: 'claim' }
    return isSame ? [ofAmount, { ...clue, reason: 'claim-reference' as const }] : [ofAmount]
  })
}
