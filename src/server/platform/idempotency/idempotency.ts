import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { inTransaction, sendWithNext, sqlState, type Tx } from '../db/transaction.ts'
import { overLimitOf, type Limit, type Limits } from '../limits/limits.ts'
import { invariant, Refusal } from '../values/errors.ts'
import { answerErased, isErased } from './stored-responses.ts'

/** One text for one value, whatever order its fields came in: what is hashed must not depend on who wrote it down. */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) as string | undefined
  return text ?? 'null'
}

/** One operation with the caller's idempotency key. `scope` names the actor and the operation, `body` is the request. */
type OperationKey = { scope: string; key: string; body: unknown }

export type Once<Answer> = { answer: Answer; resultType: string; resultId: string }

/** The limit of the operation, and whether the call itself was above a limit already. */
type Pace = { limits: Limits; limit: Limit; of: string; overLimit: Refusal | null }

type Work<Answer> = (tx: Tx) => Promise<Once<Answer>>

/** Work that first needs something from outside its transaction, such as the game's answer. A repeated key reads nothing. */
type PreparedWork<Answer> = { prepare(): Promise<Work<Answer>> }

const hashOf = (body: unknown) => createHash('sha256').update(canonicalJson(body)).digest()

/**
 * Runs `work` in one transaction, at most once per key: the key is claimed first (a concurrent repeat waits there), the
 * answer is stored with the work. The same key and body gets the first answer again; another body is KEY_REUSED; a twin
 * that still runs after the lock time-out is IN_PROGRESS; a key whose answer was erased since is KEY_REUSED too. A refusal
 * rolls everything back, so nothing is stored and the same key may succeed later. Without a key the work simply runs.
 *
 * With a pace each request counts, also one that is refused by the work: refusals reveal who exists. One too many is
 * refused, unless its key has an answer (or another body) already. The count is its own statement before the transaction: inside, it
 * would be undone with a refusal, and would wait for a second connection while holding the first.
 */
export async function once<Answer>(
  db: Db,
  operation: OperationKey | null,
  work: Work<Answer> | PreparedWork<Answer>,
  pace: Pace | null,
): Promise<Answer> {
  const refusal = pace && (pace.overLimit ?? (await overLimitOf(pace.limits, pace.limit, pace.of)))
  if (refusal !== null) {
    const stored = operation === null ? undefined : await findStored(db, operation)
    if (stored === undefined || operation === null) throw refusal
    return answerOf<Answer>(stored, hashOf(operation.body))
  }
  // A repeated request counts as one operation only.
  const repeated = async (stored: Stored, { body }: OperationKey) => {
    const answer = answerOf<Answer>(stored, hashOf(body))
    if (pace !== null) await pace.limits.giveBack(pace.limit, pace.of)
    return answer
  }
  if (typeof work === 'function') return runOnce(db, operation, { work, repeated })
  const stored = operation === null ? undefined : await findStored(db, operation)
  if (stored !== undefined && operation !== null) return repeated(stored, operation)
  return runOnce(db, operation, { work: await work.prepare(), repeated })
}

type PlayerOperation = {
  userId: string
  key: string | null
  overLimit: Refusal | null
  /** What the player's keys are for. */
  scope: string
  body: unknown
  /** Null: the call is counted already. */
  limit: Limit | null
}

/** `once` for what a player does. */
export const onceForPlayer = <Answer>(
  { db, limits }: { db: Db; limits: Limits },
  { userId, key, overLimit, scope, body, limit }: PlayerOperation,
  work: Work<Answer> | PreparedWork<Answer>,
): Promise<Answer> =>
  once<Answer>(
    db,
    key === null ? null : { scope: `user:${userId}:${scope}`, key, body },
    work,
    limit && { limits, limit, of: userId, overLimit },
  )

type Run<Answer> = {
  work: Work<Answer>
  repeated(stored: Stored, operation: OperationKey): Promise<Answer>
}

async function runOnce<Answer>(
  db: Db,
  operation: OperationKey | null,
  { work, repeated }: Run<Answer>,
): Promise<Answer> {
  if (operation === null) return inTransaction(db, async (tx) => (await work(tx)).answer)
  let former: Stored | undefined
  const answer = await inTransaction(db, async (tx) => {
    if (!(await claim(tx, operation, hashOf(operation.body)))) {
      former = await findStored(tx, operation)
      invariant(former, 'a key that cannot be claimed is stored')
      return null
    }
    const done = await work(tx)
    const store = tx
      .updateTable('idempotency_key')
      .set({
        result_type: done.resultType,
        result_id: done.resultId,
        status_code: 200,
        response: JSON.stringify(done.answer),
      })
      .where('scope', '=', operation.scope)
      .where('key', '=', operation.key)
    await sendWithNext(tx, store.compile())
    return { answer: done.answer }
  })
  if (answer !== null) return answer.answer
  invariant(former, 'what was not done now was done before')
  return repeated(former, operation)
}

async function claim(tx: Tx, { scope, key }: OperationKey, hash: Buffer): Promise<boolean> {
  try {
    const claimed = await tx
      .insertInto('idempotency_key')
      .values({ scope, key, request_hash: hash })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return claimed.numInsertedOrUpdatedRows === 1n
  } catch (error) {
    if (sqlState(error) === '55P03') throw new Refusal('IN_PROGRESS', { retryAfterSeconds: 1 })
    throw error
  }
}

type Stored = { request_hash: Buffer; response: unknown }

async function findStored(db: Db | Tx, { scope, key }: OperationKey): Promise<Stored | undefined> {
  return db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'response'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
}

function answerOf<Answer>(stored: Stored, hash: Buffer): Answer {
  if (!stored.request_hash.equals(hash)) throw new Refusal('KEY_REUSED')
  if (isErased(stored.response)) throw answerErased()
  return stored.response as Answer
}
