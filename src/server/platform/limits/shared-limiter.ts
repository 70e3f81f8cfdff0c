import { sql } from 'kysely'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../db/database.ts'
import { inTransaction, type Tx } from '../db/transaction.ts'
import { startLoops, type Loop } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import type { Counted, Limiter } from './machine-limiter.ts'
import { sweep } from '../queues/sweeping.ts'

type CounterRow = { points: number; leftMs: number }

/** The same throughout a statement. */
export const nowMs = sql<number>`(extract(epoch FROM statement_timestamp()) * 1000)::bigint`

const clockMs = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/**
 * Counts in the table `rate_limit`, which all processes share, by the database's clock: by its own, a process whose clock
 * is a day ahead would lock players out until the next day, and one that is behind would never let them in again. A counter
 * that ends later than its limit allows was written by such a clock, and begins again.
 */
export function openSharedLimiter(db: Db | Tx, { name, points, seconds }: Counted): Limiter {
  const ms = seconds * 1_000
  const keyOf = (key: string) => `${name}:${key}`
  const answer = (row: CounterRow) =>
    new RateLimiterRes(Math.max(points - row.points, 0), row.leftMs, row.points, false)

  // The clock as it is once the row is locked: the first of the count may have begun later than a call that came after it.
  const isCounting = sql`(counter.expire > ${nowMs} AND counter.expire <= ${clockMs} + ${ms}::bigint)`

  async function add(key: string, more: number): Promise<RateLimiterRes> {
    const { rows } = await sql<CounterRow>`
      INSERT INTO rate_limit AS counter (key, points, expire)
      VALUES (${keyOf(key)}, ${more}::integer, ${nowMs} + ${ms}::bigint)
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN ${isCounting} THEN counter.points + excluded.points ELSE excluded.points END,
        expire = CASE WHEN ${isCounting} THEN counter.expire ELSE excluded.expire END
      RETURNING points, (expire - ${nowMs})::integer AS "leftMs"`.execute(db)
    return answer(rows[0] as CounterRow)
  }

  return {
    async consume(key) {
      const counted = await add(key, 1)
      if (counted.consumedPoints > points) throw counted
      return counted
    },
    reward: (key) => add(key, -1),
    penalty: (key) => add(key, 1),
    async get(key) {
      const { rows } = await sql<CounterRow>`
        SELECT points, (expire - ${nowMs})::integer AS "leftMs" FROM rate_limit
         WHERE key = ${keyOf(key)} AND expire > ${nowMs} AND expire <= ${clockMs} + ${ms}::bigint`.execute(db)
      return rows[0] === undefined ? null : answer(rows[0])
    },
  }
}

/**
 * Counts under a key what is not counted yet under both. The count ends when nothing new came for the seconds of the
 * limit, so that no span of that length holds more. Several that come at once take turns at the row of both, and one too
 * many leaves neither row changed: a repeated one can never pass for one that was counted.
 */
export async function consumeOnce(
  db: Db,
  limit: Counted,
  { ofKey, ofBoth }: { ofKey: string; ofBoth: string },
): Promise<void> {
  const key = `${limit.name}:${ofKey}`
  await inTransaction(db, async (tx) => {
    const limiter = openSharedLimiter(tx, limit)
    if ((await limiter.penalty(ofBoth)).consumedPoints > 1) return
    // The clock as it is once the row is locked: the end that others set meanwhile is no later than ours.
    const end = sql`${clockMs} + ${limit.seconds * 1_000}::bigint`
    const isOver = sql`(counter.expire <= ${clockMs} OR counter.expire > ${end})`
    const counted = await sql`
      INSERT INTO rate_limit AS counter (key, points, expire) VALUES (${key}, 1, ${end})
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN ${isOver} THEN 1 ELSE counter.points + 1 END, expire = ${end}
      WHERE counter.points < ${limit.points} OR ${isOver}
      RETURNING points`.execute(tx)
    if (counted.rows.length === 0) throw (await limiter.get(ofKey)) ?? new RateLimiterRes(0, 0)
  })
}

const PAUSE_MS = 300_000

export function startLimitJobs(deps: { db: Db; log: Log }): Loop[] {
  return startLoops(deps.log, [
    { name: 'expired counters', pauseMs: PAUSE_MS, round: () => removeExpiredCounters(deps) },
  ])
}

/** Removes one batch of expired counters; true when there may be more. */
export const removeExpiredCounters = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'expired counters',
    table: 'rate_limit',
    isDue: sql`due.expire <= ${nowMs}`,
    order: sql`due.expire`,
    skipsLocked: true,
  })
