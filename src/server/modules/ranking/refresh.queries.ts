import { sql } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Candidate, Entry } from './ranking.rules.ts'

export type DueGroup = { id: string; serverId: string | null } & (
  | { source: 'game'; board: string }
  | { source: 'recharge'; board: null }
)

/** Claims a group whose picture is old, if there is one; what another worker has claimed is left to it. */
export async function claimDueGroup(
  db: Db,
  { takenBefore, claimSeconds }: { takenBefore: Date; claimSeconds: number },
): Promise<DueGroup | undefined> {
  const { rows } = await sql<DueGroup>`
    UPDATE ranking_groups g SET claimed_until = now() + make_interval(secs => ${claimSeconds})
      FROM (
        SELECT due.id FROM ranking_groups due LEFT JOIN ranking_snapshots s ON s.group_id = due.id
         WHERE (s.taken_at IS NULL OR s.taken_at < ${takenBefore})
           AND (due.claimed_until IS NULL OR due.claimed_until <= now())
         ORDER BY due.position, due.id LIMIT 1
           FOR UPDATE OF due SKIP LOCKED
      ) d
     WHERE g.id = d.id
    RETURNING g.id, g.source, g.board, g.server_id AS "serverId"`.execute(db)
  return rows[0]
}

export async function selectServerIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('servers').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export type KnownAccount = { userId: string; isExcluded: boolean }

/** The portal's users behind game accounts. Operators and banned players are not ranked. */
export async function selectAccounts(
  db: Db,
  accounts: readonly string[],
  now: Date,
): Promise<Map<string, KnownAccount>> {
  const { rows } = await sql<{ account: string } & KnownAccount>`
    SELECT u.username_key AS account, u.id AS "userId",
           coalesce(u.ban_until > ${now}, false) OR EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)
             AS "isExcluded"
      FROM users u WHERE u.username_key = ANY(${[...accounts]}::text[])`.execute(db)
  return new Map(rows.map(({ account, ...known }) => [account, known]))
}

/** A report may take its time; everything else of the portal may not. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql`SELECT set_config('statement_timeout', '60s', true)`.execute(tx)
}

export type TopRecharge = Omit<Candidate, 'userId' | 'name'> & {
  userId: string
  username: string
  characterName: string | null
}

type RawRecharge = Omit<TopRecharge, 'value'> & { value: string }

/**
 * Who recharged the most since a moment, with their strongest character as the portal knows it. Recharges that were
 * taken back do not count. The `LIMIT 1` makes each one of the top be looked up, where a join would read all users.
 */
export async function selectTopRecharges(
  tx: Tx,
  { since, now, limit }: { since: Date; now: Date; limit: number },
): Promise<TopRecharge[]> {
  const { rows } = await sql<RawRecharge>`
    WITH top AS (
      SELECT t.credit_account, sum(t.amount)::bigint AS value
        FROM ledger_transfer t
       WHERE t.kind = 'recharge' AND t.created_at >= ${since}
         AND NOT EXISTS (SELECT FROM ledger_transfer back WHERE back.reverses_id = t.id)
       GROUP BY t.credit_account
       ORDER BY value DESC LIMIT ${limit})
    SELECT u.id AS "userId", u.username, u.server_id AS "serverId", top.value,
           c.name AS "characterName", c.class_id AS "classId", c.level
      FROM top
     CROSS JOIN LATERAL (SELECT * FROM users WHERE wallet_account_id = top.credit_account LIMIT 1) u
      LEFT JOIN LATERAL (
        SELECT name, class_id, level FROM game_character
         WHERE user_id = u.id ORDER BY level DESC, id LIMIT 1) c ON true
     WHERE u.erased_at IS NULL AND (u.ban_until IS NULL OR u.ban_until <= ${now})
       AND NOT EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)`.execute(tx)
  return rows.map((row) => ({ ...row, value: parseCoins(row.value) }))
}

/** Replaces a snapshot and releases the claim. Readers see the old one until this commits. */
export async function replaceSnapshot(tx: Tx, groupId: string, entries: readonly Entry[]): Promise<void> {
  // This row's lock makes two that replace one picture take turns.
  await sql`
    INSERT INTO ranking_snapshots (group_id, taken_at) VALUES (${groupId}::bigint, clock_timestamp())
    ON CONFLICT (group_id) DO UPDATE SET taken_at = clock_timestamp()`.execute(tx)
  await tx.updateTable('ranking_groups').set({ claimed_until: null }).where('id', '=', groupId).execute()
  await tx.deleteFrom('ranking_entries').where('group_id', '=', groupId).execute()
  if (entries.length === 0) return
  await sql`
    INSERT INTO ranking_entries (group_id, rank, user_id, server_id, name, value, class_id, level)
    SELECT ${groupId}::bigint, e.rank, e."userId", e."serverId", e.name, e.value, e."classId", e.level
      FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e(
        rank integer, "userId" bigint, "serverId" text, name text, value bigint, "classId" integer, level integer)
    `.execute(tx)
}
