import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Db } from './db/database.ts'
import { inTransaction, sqlState, type Tx } from './db/transaction.ts'
import { Refusal } from './http/refusal.ts'

/** One operation under the caller's own key. `scope` names the actor and the operation, `body` what was asked. */
export type OperationKey = { scope: string; key: string; body: unknown }

export type Once<Answer> = { answer: Answer; resultType: string; resultId: string }

const hashOf = (body: unknown) => createHash('sha256').update(canonicalJson(body)).digest()

/**
 * Runs `work` in one transaction, at most once per key: the key is claimed first (a concurrent twin waits there), the
 * answer is stored with the work. The same key and body gets the first answer again; another body is KEY_REUSED; a twin
 * that still runs after the lock time-out is IN_PROGRESS. A refusal rolls everything back, so nothing is stored and the
 * same key may succeed later. Without a key the work simply runs.
 */
export async function once<Answer>(
  db: Db,
  operation: OperationKey | null,
  work: (tx: Tx) => Promise<Once<Answer>>,
): Promise<Answer> {
  return inTransaction(db, async (tx) => {
    if (operation === null) return (await work(tx)).answer
    const hash = hashOf(operation.body)
    if (!(await claim(tx, operation, hash))) return storedAnswer<Answer>(tx, operation, hash)
    const done = await work(tx)
    await tx
      .updateTable('idempotency_key')
      .set({
        result_type: done.resultType,
        result_id: done.resultId,
        status_code: 200,
        response: JSON.stringify(done.answer),
      })
      .where('scope', '=', operation.scope)
      .where('key', '=', operation.key)
      .execute()
    return done.answer
  })
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

async function storedAnswer<Answer>(tx: Tx, { scope, key }: OperationKey, hash: Buffer): Promise<Answer> {
  const row = await tx
    .selectFrom('idempotency_key')
    .select(['request_hash', 'response'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!row.request_hash.equals(hash)) throw new Refusal('KEY_REUSED')
  return row.response as Answer
}
