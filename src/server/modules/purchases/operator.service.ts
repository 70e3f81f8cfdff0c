import type { AnswerOf } from '#contract/endpoint.ts'
import type { DeliveryAttempt, OperatorDelivery, gameBridgeCall } from '#contract/operator/deliveries.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { findLastAnsweredAt, listAttempts, listLatestAnswered } from './attempts.queries.ts'
import { FAILURES_MAX, isDeliveryId } from './deliveries.rules.ts'
import {
  countStoredDeliveries,
  findStoredDelivery,
  type GivenFilter,
  listStoredDeliveries,
  type StoredDelivery,
} from './operator.queries.ts'
import { countOpenByState } from './worker.queries.ts'

export async function listOperatorDeliveries(
  db: Db,
  { user, ...given }: GivenFilter,
  page: ListPage,
): Promise<ListRows<OperatorDelivery>> {
  const player = user === undefined ? undefined : await findTraderByUsername(db, user)
  if (user !== undefined && player === undefined) return { total: 0, rows: [] }
  const filter = { ...given, namedId: player?.id }
  const rows = await listStoredDeliveries(db, filter, page)
  return { total: () => countStoredDeliveries(db, filter), rows: rows.map(describe) }
}

export async function getOperatorDelivery(db: Db | Tx, id: string): Promise<OperatorDelivery> {
  const delivery = isDeliveryId(id) ? await findStoredDelivery(db, id) : undefined
  if (!delivery) throw notFound()
  return describe(delivery)
}

const describe = (delivery: StoredDelivery): OperatorDelivery => ({
  ...delivery,
  amount: parseCoins(delivery.amount),
  next_attempt_at: delivery.next_attempt_at.toISOString(),
  created_at: delivery.created_at.toISOString(),
  settled_at: delivery.settled_at?.toISOString() ?? null,
})

export async function getAttempts(db: Db, id: string): Promise<DeliveryAttempt[]> {
  await getOperatorDelivery(db, id)
  return listAttempts(db, id)
}

/**
 * Each process that sends has a breaker of its own; what all of them kept of their attempts shows the same: five
 * without an answer in a row.
 */
export async function getGameBridge(db: Db): Promise<AnswerOf<typeof gameBridgeCall>> {
  const latest = await listLatestAnswered(db, FAILURES_MAX)
  const open = await countOpenByState(db)
  const count = (state: (typeof open)[number]['state']) => open.find((row) => row.state === state)?.count ?? 0
  const oldest = open.flatMap((row) => row.oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    breaker: latest.length === FAILURES_MAX && !latest.includes(true) ? 'open' : 'closed',
    last_answered_at: (await findLastAnsweredAt(db))?.toISOString() ?? null,
    queue: {
      pending: count('pending'),
      sending: count('sending'),
      unknown: count('unknown'),
      parked: count('parked'),
    },
    oldest_at: oldest?.toISOString() ?? null,
  }
}

const PAGE_ROWS = 500

/** Every delivery that is neither delivered nor refunded, the oldest first, a page at a time. */
export async function* openDeliveries(db: Db): AsyncGenerator<StoredDelivery> {
  let after: string | undefined
  for (;;) {
    const page = { from: 0, to: PAGE_ROWS - 1, order: 'asc', after } as const
    const rows = await listStoredDeliveries(db, { open: true }, page)
    yield* rows
    after = rows.at(-1)?.id
    if (rows.length < PAGE_ROWS) return
  }
}
