import { sql } from 'kysely'
import { RANKING_DEPTH } from '#contract/constants.ts'
import type { RankingRow } from '#server/modules/game-bridge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue, isTooFarAhead } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { RechargePeriod } from './ranking.rules.ts'
import { dayOf } from './ranking.queries.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export type DueGroup = { id: string; run: string; serverId: string | null } & (
  | { source: 'game'; board: string }
  | ({ source: 'recharge'; board: null } & RechargePeriod)
)

/** By the clock that the snapshots have: by another one that is ahead they would all be old for ever. */
export async function selectTakenBefore(db: Db, ageSeconds: number): Promise<Date> {
  const { rows } = await sql<{ moment: Date }>`
    SELECT clock_timestamp() - make_interval(secs => ${ageSeconds}) AS moment`.execute(db)
  return (rows[0] as { moment: Date }).moment
}

/** Groups whose snapshot is old, which nobody has claimed. */
const dueGroups = ({ takenBefore, claimSeconds }: { takenBefore: Date; claimSeconds: number }) => sql`
  FROM ranking_groups due LEFT JOIN ranking_snapshots s ON s.group_id = due.id
 WHERE (s.taken_at IS NULL OR s.taken_at < ${takenBefore} OR ${isTooFarAhead(sql`s.taken_at`, 0)})
   AND (due.claimed_until IS NULL OR ${isDue(sql`due.claimed_until`, claimSeconds)})`

export async function listDueGroups(
  db: Db,
  isResting: IsResting,
  { limit, ...claim }: { takenBefore: Date; claimSeconds: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT due.id ${dueGroups(claim)} AND NOT ${isResting(sql`due.id`)}
     ORDER BY due.position, due.id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Claims a group that is due; what another worker has claimed is left to it. What a run before it had read is removed. */
export async function claimDueGroup(
  db: Db,
  id: string,
  { takenBefore, claimSeconds }: { takenBefore: Date; claimSeconds: number },
): Promise<DueGroup | undefined> {
  const { rows } = await sql<DueGroup>`
    WITH due AS (
      SELECT due.id ${dueGroups({ takenBefore, claimSeconds })} AND due.id = ${id}::bigint FOR UPDATE OF due SKIP LOCKED),
    remains AS (DELETE FROM ranking_staging r USING due WHERE r.group_id = due.id)
    UPDATE ranking_groups g
       SET claimed_until = now() + make_interval(secs => ${claimSeconds}), claimed_run = gen_random_uuid()
      FROM due WHERE g.id = due.id
    RETURNING g.id, g.claimed_run AS run, g.source, g.board, g.server_id AS "serverId",
              g.recharge_period AS period, g.starts_on::text AS "startsOn", g.ends_on::text AS "endsOn"`.execute(
    db,
  )
  return rows[0]
}

export async function selectServerIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('servers').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

type Run = Pick<DueGroup, 'id' | 'run'>

/**
 * Stores one page of a board for its run, and claims the group for longer. Answers how many characters are new, or null when
 * the claim was lost. A character that moved to another page meanwhile counts once.
 */
export async function stagePage(
  db: Db,
  { id, run }: Run,
  { serverId, rows, claimSeconds }: { serverId: string; rows: readonly RankingRow[]; claimSeconds: number },
): Promise<number | null> {
  const page = rows.map(({ account, ...row }) => ({ ...row, account: account.toLowerCase() }))
  const answer = await sql<{ isHeld: boolean; added: number }>`
    WITH held AS (
      UPDATE ranking_groups SET claimed_until = now() + make_interval(secs => ${claimSeconds})
       WHERE id = ${id}::bigint AND claimed_run = ${run}::uuid RETURNING id),
    added AS (
      INSERT INTO ranking_staging (run, group_id, server_id, name, account, value, class_id, level)
      SELECT ${run}::uuid, held.id, ${serverId}, p.name, p.account, p.value, p."classId", nullif(p.level, 0)
        FROM held, jsonb_to_recordset(${JSON.stringify(page)}::jsonb) AS p(
          name text, account text, value bigint, "classId" integer, level integer)
      ON CONFLICT DO NOTHING RETURNING 1)
    SELECT EXISTS (SELECT FROM held) AS "isHeld", (SELECT count(*)::integer FROM added) AS added`.execute(db)
  const [staged] = answer.rows
  return staged?.isHeld ? staged.added : null
}

/** A report may take its time; everything else of the portal may not. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql`SELECT set_config('statement_timeout', '60s', true)`.execute(tx)
}

/** No operator and nobody who is banned. */
const mayBeRanked = sql`(u.ban_until IS NULL OR u.ban_until <= now())
  AND (u.sign_in_ban_until IS NULL OR u.sign_in_ban_until <= now())
  AND NOT EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)`

/**
 * Who recharged the most within a time, of those who want to be shown. Recharges that were taken back do not count. The
 * place of a character's name is taken by the user's id: the nickname is looked up when it is shown.
 */
export async function stageRecharges(
  tx: Tx,
  { id, run }: Run,
  { since, until }: { since: Date; until: Date | null },
): Promise<void> {
  await sql`
    INSERT INTO ranking_staging (run, group_id, server_id, name, account, value)
    SELECT ${run}::uuid, ${id}::bigint, '', u.id::text, u.username_key, sum(t.amount)::bigint AS value
      FROM ledger_transfer t
      JOIN users u ON u.wallet_account_id = t.credit_account
      JOIN ranking_nickname n ON n.user_id = u.id
     WHERE t.kind = 'recharge' AND t.created_at >= ${since} AND t.created_at < coalesce(${until}::timestamptz, 'infinity')
       AND NOT EXISTS (SELECT FROM ledger_transfer back WHERE back.reverses_id = t.id)
       AND u.erased_at IS NULL AND ${mayBeRanked}
     GROUP BY u.id ORDER BY value DESC LIMIT ${RANKING_DEPTH}`.execute(tx)
}

/**
 * Puts what a run has read in the place of the snapshot and ends its claim; false when the claim was lost. Readers see the
 * old snapshot until this commits. The last snapshot of a day that is over becomes the ranking of that day.
 */
export async function replaceSnapshot(tx: Tx, { id, run }: Run, rowsOfADay: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE ranking_groups SET claimed_until = NULL, claimed_run = NULL
     WHERE id = ${id}::bigint AND claimed_run = ${run}::uuid RETURNING 1`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    INSERT INTO ranking_snapshots (group_id, taken_at) VALUES (${id}::bigint, to_timestamp(0))
    ON CONFLICT DO NOTHING`.execute(tx)
  await storeDay(tx, id, rowsOfADay)
  await storeEntries(tx, { id, run })
  await sql`
    UPDATE ranking_snapshots
       SET taken_at = clock_timestamp(),
           class_ids = ARRAY(SELECT DISTINCT class_id FROM ranking_staging
                              WHERE run = ${run}::uuid AND class_id IS NOT NULL ORDER BY class_id LIMIT ${CLASSES_MAX})
     WHERE group_id = ${id}::bigint`.execute(tx)
  await sql`DELETE FROM ranking_staging WHERE run = ${run}::uuid`.execute(tx)
  return true
}

/** More than any game has; a bound for one that answers nonsense. */
const CLASSES_MAX = 50

const DAYS_STORED = 90
/** Each has thousands of rows, which are removed with it. */
const DAYS_OF_A_BATCH = 20

/** As many rows as a page shows of each server and class, which are those of every filter. */
async function storeDay(tx: Tx, id: string, rowsOfADay: number): Promise<void> {
  const columns = sql`rank, user_id, server_id, name, value, class_id, level, server_rank, class_rank, server_class_rank`
  await sql`
    WITH over AS (
      INSERT INTO ranking_days (group_id, day, taken_at, class_ids)
      SELECT group_id, ${dayOf(sql`taken_at`)}, taken_at, class_ids FROM ranking_snapshots
       WHERE group_id = ${id}::bigint AND ${dayOf(sql`taken_at`)} < ${dayOf(sql`now()`)}
         AND taken_at > now() - make_interval(days => ${DAYS_STORED})
      ON CONFLICT DO NOTHING RETURNING day)
    INSERT INTO ranking_day_entries (group_id, day, ${columns})
    SELECT group_id, over.day, ${columns} FROM over, ranking_entries
     WHERE group_id = ${id}::bigint AND server_class_rank <= ${rowsOfADay}`.execute(tx)
}

/**
 * The most first; of equals the stronger character, then the name, so that two snapshots of one ranking agree. The `LIMIT 1`
 * makes each account be looked up, where a join would read all users. Rows that stay as they are are not written.
 */
async function storeEntries(tx: Tx, { id, run }: Run): Promise<void> {
  const order = sql`ORDER BY s.value DESC, coalesce(s.level, 0) DESC, s.name COLLATE "C", s.server_id`
  const columns = [
    'user_id',
    'server_id',
    'name',
    'value',
    'class_id',
    'level',
    'server_rank',
    'class_rank',
    'server_class_rank',
  ]
  const list = (prefix: string) => sql.join(columns.map((column) => sql.ref(prefix + column)))
  await sql`
    WITH ranked AS (
      SELECT row_number() OVER (${order}) AS rank, u.id AS user_id, s.server_id, s.name, s.value, s.class_id, s.level,
             row_number() OVER (PARTITION BY s.server_id ${order}) AS server_rank,
             row_number() OVER (PARTITION BY s.class_id ${order}) AS class_rank,
             row_number() OVER (PARTITION BY s.server_id, s.class_id ${order}) AS server_class_rank
        FROM ranking_staging s
        LEFT JOIN LATERAL (
          SELECT u.id, ${mayBeRanked} AS may FROM users u WHERE u.username_key = s.account LIMIT 1) u ON true
       WHERE s.run = ${run}::uuid AND u.may IS NOT FALSE),
    stored AS (
      INSERT INTO ranking_entries AS e (group_id, rank, ${list('')})
      SELECT ${id}::bigint, rank, ${list('')} FROM ranked
      ON CONFLICT (group_id, rank) DO UPDATE SET (${list('')}) = ROW (${list('excluded.')})
       WHERE (${list('e.')}) IS DISTINCT FROM (${list('excluded.')}))
    DELETE FROM ranking_entries
     WHERE group_id = ${id}::bigint AND rank > (SELECT count(*) FROM ranked)`.execute(tx)
}

/** Removes the rankings of days long ago, some days of some groups at a time; true when there may be more. */
export const removeOldDays = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old rankings',
    table: 'ranking_days',
    isDue: sql`due.day < ${dayOf(sql`now()`)} - ${DAYS_STORED}::integer`,
    order: sql`due.day`,
    limit: DAYS_OF_A_BATCH,
  })
