import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../values/errors.ts'

/** Any numbers do, but each its own, and for ever: processes of two releases take turns by them. */
export const ADVISORY_LOCKS = {
  migrations: 7_346_522_001,
  seeding: 7_346_522_002,
  appRole: 7_346_522_003,
  demoTournaments: 7_346_522_004,
  settings: 7_346_522_011,
  staff: 7_346_522_012,
  legalTexts: 7_346_522_013,
  gameNames: 7_346_522_014,
} as const

export type Turn = {
  /** One of `ADVISORY_LOCKS`. */
  lock: number
  /** Completes "waiting for …". */
  purpose: string
  waitMs: number
  log: Log
}

const POLL_MS = 200
const FIRST_LOG_MS = 2_000
const LOG_EVERY_MS = 10_000

/**
 * Runs `work` in one transaction while no other process runs one for the same lock. The lock ends with the transaction,
 * so only a transaction that is left open can hold it; that is waited for, with a log line, for a bounded time.
 */
export async function inTurn<Result>(
  client: Client,
  turn: Turn,
  work: () => Promise<Result>,
): Promise<Result> {
  await waitForTurn(client, turn)
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A lost connection is rolled back by PostgreSQL; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Ends with a transaction that holds the lock. */
async function waitForTurn(client: Client, { lock, purpose, waitMs, log }: Turn): Promise<void> {
  const startedAt = performance.now()
  let logAt = startedAt + Math.min(FIRST_LOG_MS, waitMs / 2)
  while (!(await beginWithLock(client, lock))) {
    const now = performance.now()
    if (now >= startedAt + waitMs) {
      throw new SetupProblem(
        `waited ${Math.round(waitMs / 1000)} s for ${purpose}: ${await holdersOf(client, lock)} holds the lock; ` +
          'if that is a portal that still works on it, start again when it is done; otherwise end that connection',
      )
    }
    if (now >= logAt) {
      log.warn({ heldBy: await holdersOf(client, lock) }, `waiting for ${purpose}`)
      logAt = now + LOG_EVERY_MS
    }
    await sleep(POLL_MS)
  }
}

/**
 * A transaction for each try: CREATE INDEX CONCURRENTLY of the process whose turn it is waits for the end of every
 * transaction that had a snapshot when it looked, and would wait for ours until we gave up.
 */
async function beginWithLock(client: Client, lock: number): Promise<boolean> {
  await client.query('BEGIN')
  const { rows } = await client.query<{ is_ours: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS is_ours',
    [lock],
  )
  if (rows[0]?.is_ours === true) return true
  await client.query('ROLLBACK')
  return false
}

async function holdersOf(client: Client, lock: number): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT format('process %s (%s, %s, %s)', pid, coalesce(nullif(application_name, ''), 'no application name'),
                   coalesce(host(client_addr), 'local'), coalesce(state, 'unknown')) AS holder
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32) | objid::bigint = $1`,
    [lock],
  )
  return rows.map((row) => row.holder).join(', ') || 'a connection that PostgreSQL does not show'
}
