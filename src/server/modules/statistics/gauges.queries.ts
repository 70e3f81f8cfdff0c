import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** More are not counted: these tables grow without end. */
const COUNT_MAX = 10_000

type Oldest = { unmatched: number; undecided: number; delivery: number }

/** In seconds; 0 where nothing waits. Each is the first row of an index. */
export async function readOldest(db: Db): Promise<Oldest> {
  const { rows } = await sql<Oldest>`
    SELECT coalesce(extract(epoch FROM now() - (
             SELECT created_at FROM bank_transaction WHERE state = 'review' ORDER BY created_at LIMIT 1)), 0)::float8 AS unmatched,
           coalesce(extract(epoch FROM now() - (
             SELECT received_at FROM payment_event WHERE status = 'new' ORDER BY received_at LIMIT 1)), 0)::float8 AS undecided,
           coalesce(extract(epoch FROM now() - (
             SELECT created_at FROM delivery WHERE state NOT IN ('delivered', 'refunded') AND state <> 'parked'
              ORDER BY created_at LIMIT 1)), 0)::float8 AS delivery`.execute(db)
  return rows[0] as Oldest
}

export type Counted = { state: string; count: number }

export async function countOpenDeliveries(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT state, count(*)::integer AS count
      FROM (SELECT state FROM delivery WHERE state NOT IN ('delivered', 'refunded') ORDER BY created_at LIMIT ${COUNT_MAX}) AS open
     GROUP BY state`.execute(db)
  return rows
}

export async function countOpenOrders(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT counted.state,
           (SELECT count(*) FROM (SELECT 1 FROM payment_order WHERE status = counted.state ORDER BY id LIMIT ${COUNT_MAX}) AS open)::integer AS count
      FROM (VALUES ('pending'), ('review')) AS counted (state)`.execute(db)
  return rows
}

/** In the order of an index, so that no more than what is counted is read. */
export async function countMails(db: Db): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT CASE WHEN last_error IS NULL THEN 'waiting' ELSE 'failed' END AS state, count(*)::integer AS count
      FROM (SELECT last_error FROM mail_outbox ORDER BY next_attempt_at LIMIT ${COUNT_MAX}) AS queued
     GROUP BY 1`.execute(db)
  return rows
}

/** The portal's own accounts have the highest ids; there are a few. */
const OWN_ACCOUNTS_FROM = '9000000000000000'

export async function listOwnBalances(db: Db): Promise<{ kind: string; balance: string }[]> {
  const { rows } = await sql<{ kind: string; balance: string }>`
    SELECT kind, sum(balance) AS balance FROM ledger_account WHERE id >= ${OWN_ACCOUNTS_FROM}::bigint GROUP BY kind`.execute(
    db,
  )
  return rows
}

type LastChecks = {
  found: number | null
  finished: number
  closeDue: number
  closedDay: number | null
  green: number
  red: number
  notCompared: number
  empty: number
}

/** What the last reconciliation found, when the next nightly close is due, and how the closes of the last closed day ended. */
export async function readLastChecks(db: Db): Promise<LastChecks> {
  const { rows } = await sql<LastChecks>`
    SELECT run.found::float8 AS found,
           extract(epoch FROM coalesce(run.finished_at, (SELECT min(applied_at) FROM schema_migration)))::float8 AS finished,
           (SELECT extract(epoch FROM due_at)::float8 FROM reconciliation_task WHERE name = 'nightly') AS "closeDue",
           extract(epoch FROM last.day)::float8 AS "closedDay",
           (SELECT count(*) FROM daily_close WHERE is_latest AND day = last.day AND outcome = 'green')::integer AS green,
           (SELECT count(*) FROM daily_close WHERE is_latest AND day = last.day AND outcome = 'red')::integer AS red,
           (SELECT count(*) FROM daily_close
             WHERE is_latest AND day = last.day AND outcome = 'not-compared' AND NOT is_empty)::integer
             AS "notCompared",
           (SELECT count(*) FROM daily_close WHERE is_latest AND day = last.day AND is_empty)::integer AS empty
      FROM (SELECT 1) AS one
      LEFT JOIN (SELECT found, finished_at FROM reconciliation_run
                  WHERE found IS NOT NULL ORDER BY id DESC LIMIT 1) AS run ON true
      LEFT JOIN (SELECT day FROM daily_close WHERE is_latest ORDER BY day DESC, id DESC LIMIT 1) AS last ON true`.execute(
    db,
  )
  return rows[0] as LastChecks
}
