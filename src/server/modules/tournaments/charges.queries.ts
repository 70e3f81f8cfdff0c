import { sql } from 'kysely'
import type { TeamCharge } from '#contract/tournament-teams.ts'
import { notify } from '#server/domain/notices.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export type NewCharge = {
  tournamentId: string
  teamId: string
  userId: string
  serverId: string
  account: string
  characterId: string
  luong: number
}

/** Once for each member of a team: one that is running or taken is left as it is. */
export async function insertCharges(tx: Tx, charges: readonly NewCharge[]): Promise<void> {
  if (charges.length === 0) return
  const all = <Field extends keyof NewCharge>(field: Field) => charges.map((charge) => charge[field])
  await sql`
    INSERT INTO tournament_charges (tournament_id, team_id, user_id, server_id, account, character_id, luong)
    SELECT * FROM unnest(${all('tournamentId')}::bigint[], ${all('teamId')}::bigint[], ${all('userId')}::bigint[],
                         ${all('serverId')}::text[], ${all('account')}::text[], ${all('characterId')}::text[],
                         ${all('luong')}::bigint[])
    ON CONFLICT (team_id, user_id) WHERE state IN ('pending', 'applied') DO NOTHING`.execute(tx)
  notify(tx, 'tournament_charge_due')
}

export type ChargeRow = Pick<TeamCharge, 'state' | 'reason'> & {
  id: string
  team_id: string
  user_id: string
  username: string
  luong: string
}

export const listCharges = (db: Db | Tx, teamId: string): Promise<ChargeRow[]> => listChargesOf(db, [teamId])

/** The newest of each member. */
export async function listChargesOf(db: Db | Tx, teamIds: readonly string[]): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    SELECT DISTINCT ON (c.team_id, c.user_id) c.id, c.team_id, c.user_id, u.username, c.luong, c.state, c.reason
      FROM tournament_charges c JOIN users u ON u.id = c.user_id
     WHERE c.team_id = ANY(${[...teamIds]}::bigint[])
     ORDER BY c.team_id, c.user_id, c.created_at DESC`.execute(db)
  return rows
}

/** What is to be given back from now on, at once, and for which reason. */
const givenBack = (reason: string) =>
  sql`state = 'refunding', reason = ${reason}, attempts = 0, next_attempt_at = clock_timestamp()`

/** What is taken, or may be: only this can be given back, so that each charge is once. */
const isKept = sql<boolean>`state IN ('pending', 'applied')`

/** What is taken, or may be, is given back; of one member or of whole teams. */
export async function refundCharges(
  tx: Tx,
  { teamIds, userId = null, reason }: { teamIds: readonly string[]; userId?: string | null; reason: string },
): Promise<void> {
  await sql`
    UPDATE tournament_charges SET ${givenBack(reason)}
     WHERE team_id = ANY(${[...teamIds]}::bigint[]) AND ${isKept}
       AND (${userId}::bigint IS NULL OR user_id = ${userId}::bigint)`.execute(tx)
  notify(tx, 'tournament_charge_due')
}

/** Of a cancelled tournament, or of all, what is to be given back: what the game has not taken yet first. */
export async function listKeptOfCancelled(
  db: Db | Tx,
  isResting: IsResting,
  { tournamentId, limit }: { tournamentId: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT c.id FROM tournaments cup
     CROSS JOIN LATERAL (
       SELECT id, state FROM tournament_charges WHERE tournament_id = cup.id AND ${isKept}) c
     WHERE cup.cancelled_at IS NOT NULL AND (${tournamentId}::bigint IS NULL OR cup.id = ${tournamentId}::bigint)
       AND NOT ${isResting(sql`c.id`)}
     ORDER BY c.state DESC, c.id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Charges of cancelled tournaments, for which there is no way back. Answers how many were to be given back still. */
export async function refundCancelled(db: Db | Tx, ids: readonly string[]): Promise<number> {
  const changed = await sql`
    UPDATE tournament_charges SET ${givenBack('cancelled')}
     WHERE id = ANY(${[...ids]}::uuid[]) AND ${isKept}`.execute(db)
  notify(db, 'tournament_charge_due')
  return Number(changed.numAffectedRows ?? 0n)
}

/** Fees that are to be given back, and are not yet. */
export async function countToReturn(db: Db, tournamentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM tournament_charges c JOIN tournaments t ON t.id = c.tournament_id
     WHERE c.tournament_id = ${tournamentId}::bigint
       AND (c.state = 'refunding' OR (c.state IN ('pending', 'applied') AND t.cancelled_at IS NOT NULL))`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export type ClaimedCharge = {
  id: string
  tournament_id: string
  team_id: string
  user_id: string
  server_id: string
  account: string
  character_id: string
  luong: string
  state: 'pending' | 'refunding'
  attempts: number
  /** The game has said that it took it. */
  is_taken: boolean
}

/** The longest pause between two tries of a charge. */
export const DELAY_SECONDS_MAX = 300

/** The longest due first. */
export const dueCharges = ({ limit, isWanted }: DuePart) => sql<{ id: string }>`
  SELECT id FROM tournament_charges
   WHERE state IN ('pending', 'refunding') AND ${isDue(sql`next_attempt_at`, DELAY_SECONDS_MAX)}
     AND ${isWanted(sql`tournament_charges.id`)}
   ORDER BY next_attempt_at LIMIT ${limit}`

/** Takes charges that are due, skipping what another worker is just taking; they are due again after `leaseSeconds`. */
export async function claimDueCharges(db: Db, part: DuePart, leaseSeconds: number): Promise<ClaimedCharge[]> {
  const { rows } = await sql<ClaimedCharge>`
    WITH due AS (${dueCharges(part)} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE tournament_charges AS c
       SET attempts = c.attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM due WHERE c.id = due.id
    RETURNING c.id, c.tournament_id, c.team_id, c.user_id, c.server_id, c.account, c.character_id, c.luong, c.state,
              c.attempts, c.applied_at IS NOT NULL AS is_taken`.execute(db)
  return rows
}

/** Only while it is still as it was sent: what is to be given back meanwhile stays so. */
export async function updateCharge(
  tx: Tx,
  { id, state }: Pick<ClaimedCharge, 'id' | 'state'>,
  end: { state: 'applied' | 'refunded' } | { state: 'refused'; reason: string },
): Promise<boolean> {
  const changed = await tx
    .updateTable('tournament_charges')
    .set({
      ...end,
      ...(end.state === 'applied' && { applied_at: sql<Date>`clock_timestamp()` }),
      ...(end.state === 'refunded' && { refunded_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function postponeCharge(
  db: Db,
  { id, state }: ClaimedCharge,
  delaySeconds: number,
): Promise<void> {
  await sql`
    UPDATE tournament_charges SET next_attempt_at = clock_timestamp() + make_interval(secs => ${delaySeconds})
     WHERE id = ${id}::uuid AND state = ${state}`.execute(db)
}
