import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Log } from '../log/log.ts'
import { startLoops, type Loop } from '../jobs/loop.ts'
import { Refusal } from '../values/errors.ts'
import { sweep } from '../queues/sweeping.ts'

/** Replaces an answer that is too old or named an erased person: the work was done and is not repeated. */
const ERASED = JSON.stringify({ erased: true })

export const isErased = (response: unknown): boolean => JSON.stringify(response) === ERASED

const KEPT_DAYS = 30
const HOUR_MS = 3_600_000

export function startAnswerJobs(deps: { db: Db; log: Log }): Loop[] {
  return startLoops(deps.log, [{ name: 'old answers', pauseMs: HOUR_MS, round: () => eraseOldAnswers(deps) }])
}

/** Erases one batch of stored answers older than 30 days; true when there may be more. Keys stay for good. */
export const eraseOldAnswers = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old answers',
    table: 'idempotency_key',
    // A key without an answer is left as it is: that is a fault, which R11 has to find.
    isDue: sql`NOT due.answer_erased AND due.response IS NOT NULL
      AND due.created_at < now() - make_interval(days => ${KEPT_DAYS})`,
    set: sql`response = ${ERASED}::jsonb, answer_erased = true`,
    order: sql`due.created_at`,
    skipsLocked: true,
  })

const SWEPT_AT_ONCE = 5_000

/**
 * Erases the stored answers to a player, those about acts on them, and those to others in which one of their names stands as
 * a word of its own. No index finds these: all answers that are not erased yet, those of 30 days, are read once, a bounded
 * part of them at a time.
 */
export async function eraseAnswersNaming(
  tx: Tx,
  { userId, names }: { userId: string; names: readonly string[] },
): Promise<void> {
  const escaped = names.map((name) => name.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`))
  const pattern = String.raw`(^|[^[:alnum:]])(${escaped.join('|')})($|[^[:alnum:]])`
  const own = `user:${userId}:%`
  for (let after = { made: '-infinity', scope: '', key: '' }; ;) {
    const { rows } = await sql<{ made: string; scope: string; key: string }>`
      WITH part AS MATERIALIZED (
        SELECT created_at, scope, key, response, result_type, result_id FROM idempotency_key
         WHERE NOT answer_erased AND (created_at, scope, key) > (${after.made}::timestamptz, ${after.scope}, ${after.key})
         ORDER BY created_at, scope, key LIMIT ${SWEPT_AT_ONCE}),
      erased AS (
        UPDATE idempotency_key k SET response = ${ERASED}::jsonb, answer_erased = true FROM part
         WHERE k.scope = part.scope AND k.key = part.key
           AND (part.scope LIKE ${own} OR (part.result_type LIKE 'users.%' AND part.result_id = ${userId})
             OR part.response::text ~* ${pattern}))
      SELECT created_at::text AS made, scope, key FROM part
       ORDER BY created_at DESC, scope DESC, key DESC LIMIT 1`.execute(tx)
    const [last] = rows
    if (last === undefined) return
    after = last
  }
}

/** Its work was done and is not done again, but what was answered then is no longer known. */
export const answerErased = () =>
  new Refusal('KEY_REUSED', {
    message:
      'Yêu cầu này đã được thực hiện trước đây và kết quả không còn được lưu. Vui lòng xem lại lịch sử trước khi thực hiện lần nữa',
  })
