import type { Suggestion } from '#contract/operator/bank-transfers.ts'
import { findOrderCodes, nearOrderCodes } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { listOpenClaims } from './claim-answers.queries.ts'
import { personsIn } from './bank-transfers.rules.ts'
import type { StoredTransfer } from './inbox.queries.ts'
import {
  listOrdersOpenAround,
  listPlayersNamed,
  listPlayersWithPhones,
  listUnpaidOrders,
  type SuggestedOrder,
} from './suggestions.queries.ts'

const SUGGESTIONS_MAX = 10
const BY_AMOUNT_MAX = 5
const BY_CLAIM_MAX = 5

type EventTexts = { memo: string | null; full_text: string | null; code: string | null }

type Clue = { transfer: StoredTransfer; texts: string[] }

/** Where an operator may look, the strongest clue first. Each is a source of its own that answers at most ten. */
const SOURCES: readonly ((db: Db, clue: Clue) => Promise<Suggestion[]>)[] = [
  byNearCode,
  byPhone,
  byUsername,
  byClaim,
  byAmount,
]

/** Whom a transfer that waits for a decision may have been meant for. Never credited by itself. */
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
  const found: Suggestion[] = []
  for (const source of SOURCES) found.push(...(await source(db, { transfer, texts })))
  return found.slice(0, SUGGESTIONS_MAX)
}

async function byNearCode(db: Db, { texts }: Clue): Promise<Suggestion[]> {
  const written = new Set(findOrderCodes(...texts))
  const orders = await listUnpaidOrders(db, nearOrderCodes(...texts))
  return orders.map((order) => {
    // Two codes in one memo, or a second provider that read more of it than the first.
    const isWritten = written.has(order.code)
    const text = isWritten
      ? `Nội dung có mã ${order.code}`
      : `Nội dung chỉ sai một kí tự so với mã ${order.code}`
    return about(order, 'near-code', text)
  })
}

async function byPhone(db: Db, { texts }: Clue): Promise<Suggestion[]> {
  const players = await listPlayersWithPhones(db, personsIn(texts).phones)
  return players.map((user) => named(user, 'phone', `Nội dung có số điện thoại của ${user.username}`))
}

async function byUsername(db: Db, { texts }: Clue): Promise<Suggestion[]> {
  const players = await listPlayersNamed(db, personsIn(texts).usernames)
  return players.map((user) => named(user, 'username', `Nội dung có tên đăng nhập ${user.username}`))
}

/** Players with an open claim about this amount. */
async function byClaim(db: Db, { transfer }: Clue): Promise<Suggestion[]> {
  const claims = await listOpenClaims(db, transfer.amount, BY_CLAIM_MAX)
  return claims.map(({ id, user_id, username }) => {
    const text = `${username} báo đã chuyển đúng số tiền này (yêu cầu số ${id})`
    return { ...named({ id: user_id, username }, 'claim', text), claim_id: id }
  })
}

async function byAmount(db: Db, { transfer }: Clue): Promise<Suggestion[]> {
  const orders = await listOrdersOpenAround(db, {
    accountNumber: transfer.account_number,
    amount: transfer.amount,
    at: new Date(transfer.booked_at ?? transfer.created_at),
    limit: BY_AMOUNT_MAX,
  })
  return orders.map((order) =>
    about(order, 'amount', 'Cùng tài khoản, cùng số tiền và đơn mở trong vòng 24 giờ'),
  )
}

function named(user: Suggestion['user'], why: Suggestion['why'], text: string): Suggestion {
  return { why, text, user, order: null, claim_id: null }
}

function about(
  { userId, username, created_at, ...order }: SuggestedOrder,
  why: Suggestion['why'],
  text: string,
): Suggestion {
  return {
    ...named({ id: userId, username }, why, text),
    order: { ...order, created_at: created_at.toISOString() },
  }
}
