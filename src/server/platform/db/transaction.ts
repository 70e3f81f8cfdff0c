import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type Transaction } from 'kysely'
import { isAnswered, UnknownOutcome, WITH_NEXT } from './bounded-client.ts'
import { logOf, type Db } from './database.ts'
import type { DB } from './schema.gen.ts'
import { count } from '../metrics/metrics.ts'
import { invariant } from '../values/errors.ts'

export type Tx = Transaction<DB>

type Act = { name: string; run: (db: Db) => unknown }

/** What runs after the commit of the current transaction. */
type Acts = { waiting: Act[]; isOver: boolean }

const openTransaction = new AsyncLocalStorage<Acts>()

/** True while the running code is inside a transaction; outbound calls refuse to start then. */
export function isInTransaction(): boolean {
  return openTransaction.getStore() !== undefined
}

/**
 * Runs `run` once the transaction around the caller is committed, and never when it is undone. It is given the database,
 * now outside the transaction. The change is made by then: what fails here is logged and counted under `name`, one of a
 * few texts, and neither the others nor the answer know of it. What is asynchronous nobody waits for. What a call has to know
 * about its own transaction is noted here too: `work` may have run for a try that was undone.
 */
export function afterCommit(name: string, run: Act['run']): void {
  const acts = openTransaction.getStore()
  invariant(acts, 'only what happens in a transaction can wait for its commit')
  invariant(!acts.isOver, 'what is to wait for the commit of a transaction comes before it is over')
  acts.waiting.push({ name, run })
}

async function runAct(db: Db, { name, run }: Act): Promise<void> {
  try {
    await run(db)
  } catch (error) {
    count('portal_acts_after_commit_failed_total', { act: name })
    try {
      logOf(db)?.error({ err: error, act: name }, 'what follows a committed change failed')
    } catch {
      // The log itself may be what failed: it is counted, and the change stays made.
    }
  }
}

/**
 * Sends a statement together with the next one of its transaction, COMMIT at the latest: one write and one wait for both.
 * Answers a function that returns its rows once that next statement was answered; called earlier, or when the transaction
 * was undone, it throws. What the statement is refused with is thrown by the next one.
 */
export async function sendWithNext<Row>(
  tx: Tx,
  { sql, parameters }: CompiledQuery<Row>,
): Promise<() => readonly Row[]> {
  const { rows } = await tx.executeQuery(CompiledQuery.raw(WITH_NEXT + sql, [...parameters]))
  return () => {
    invariant(isAnswered(rows), `rows were read before their statement was answered: ${sql}`)
    return rows as Row[]
  }
}

const TRIES_MAX = 5
/**
 * Serialisation failure, deadlock, a statement that the server prepared before a migration, and a connection that went
 * away before anything was committed.
 */
const RETRIED = /^(40001|40P01|0A000|57P0[123]|08...)$/

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * Deferred checks fail at COMMIT with a state of their own: that commit certainly did not happen. Whatever ends the
 * connection as well may have come after it.
 */
function isRefusedCommit(error: unknown): boolean {
  const { severity } = error as { severity?: unknown }
  return severity === 'ERROR' && !/^(08|57)/.test(sqlState(error) ?? '08')
}

function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return (
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    (typeof message === 'string' &&
      /^(Connection terminated|Client has encountered a connection error)/.test(message))
  )
}

/**
 * Runs `work` in one READ COMMITTED transaction. A failure that surely undid everything is tried again, at most 5
 * times with jitter; a failure at COMMIT is never (UnknownOutcome): only the caller's idempotency key can show what happened.
 */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let isWorkDone = false
    const acts: Acts = { waiting: [], isOver: false }
    let committed: { result: Result }
    try {
      const result = await openTransaction.run(acts, () =>
        db.transaction().execute(async (tx) => {
          const done = await work(tx)
          isWorkDone = true
          return done
        }),
      )
      committed = { result }
    } catch (error) {
      if (error instanceof UnknownOutcome) throw error
      const state = sqlState(error)
      if (isWorkDone && !isRefusedCommit(error)) throw new UnknownOutcome(error)
      const isRetried = (state !== undefined && RETRIED.test(state)) || isConnectionLoss(error)
      if (!isRetried || attempt >= TRIES_MAX) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
      continue
    } finally {
      acts.isOver = true
    }
    for (const act of acts.waiting) void runAct(db, act)
    return committed.result
  }
}
