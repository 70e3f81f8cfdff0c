import { sql } from 'kysely'
import { APPROVING_ROLES, NEW_OPERATOR_DAYS } from '#contract/operator/proposals.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/**
 * Who gave whom a role in the last days. Of somebody who could approve before, only the roles count that let them approve:
 * an old owner who is made referee too stays a second person.
 */
export async function recentGrants(tx: Tx): Promise<{ to: string; by: string }[]> {
  const since = sql`clock_timestamp() - make_interval(days => ${NEW_OPERATOR_DAYS}::integer)`
  const approving = sql`ANY(${[...APPROVING_ROLES]}::text[])`
  const { rows } = await sql<{ to: string; by: string }>`
    SELECT DISTINCT r.user_id AS "to", r.granted_by AS "by" FROM user_roles r
     WHERE r.granted_by IS NOT NULL AND r.granted_at > ${since}
       AND (r.role = ${approving} OR NOT EXISTS (
         SELECT FROM user_roles old
          WHERE old.user_id = r.user_id AND old.role = ${approving} AND old.granted_at <= ${since}))`.execute(
    tx,
  )
  return rows
}

const CHAIN_MAX = 20

/** Who gave somebody a role, who gave that one, and so on up to the command line: ids, the nearest first. */
export async function grantersOf(tx: Tx, userId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE chain (id, length) AS (
      SELECT ${userId}::bigint, 0
      UNION
      SELECT r.granted_by, chain.length + 1 FROM chain JOIN user_roles r ON r.user_id = chain.id
       WHERE r.granted_by IS NOT NULL AND chain.length < ${CHAIN_MAX})
    SELECT id FROM chain WHERE id <> ${userId}::bigint GROUP BY id ORDER BY min(length)`.execute(tx)
  return rows.map(({ id }) => id).join()
}

/** Whether two accounts have or had one phone: at most one of them has it now. */
export async function haveHadOnePhone(tx: Tx, ids: readonly [string, string]): Promise<boolean> {
  const phonesOf = (id: string) => sql`
    SELECT phone FROM user_contacts WHERE user_id = ${id}::bigint AND phone IS NOT NULL
    UNION
    SELECT held.phone FROM audit_log entry JOIN audit_personal USING (seq),
           LATERAL (VALUES (content ->> 'before'), (content ->> 'after')) AS held (phone)
     WHERE entry.subject_type = 'user' AND entry.subject_id = ${id}
       AND entry.action IN ('users.change-phone', 'users.lose-phone') AND held.phone IS NOT NULL`
  const { rows } = await sql`
    (${phonesOf(ids[0])}) INTERSECT (${phonesOf(ids[1])}) LIMIT 1`.execute(tx)
  return rows.length > 0
}
