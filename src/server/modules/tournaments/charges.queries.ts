import { sql } from 'kysely'
import type { TeamCharge } from '#contract/tournament-teams.ts'
import { notify } from '#server/domain/notices.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

type NewCharge = {
  tournamentId: string
  teamId: string
  userId: string
  serverId: string
  account: string
  characterId: string
  luong: number
}

/** Once for each member of a team: one that is running or taken is left as it is. */
export async function insertCharge(tx: Tx, charge: NewCharge): Promise<void> {
  await sql`
    INSERT INTO tournament_charges (tournament_id, team_id, user_id, server_id, account, character_id, luong)
    VALUES (${charge.tournamentId}::bigint, ${charge.teamId}::bigint, ${charge.userId}::bigint, ${charge.serverId},
            ${charge.account}, ${charge.characterId}, ${charge.luong})
    ON CONFLICT (team_id, user_id) WHERE state IN ('pending', 'applied') DO NOTHING`.execute(tx)
  notify(tx, 'tournament_charge_due')
}

export type ChargeRow = Pick<TeamCharge, 'state' | 'reason'> & {
  id: string
  user_id: string
  username: string
  luong: string
}

/** The newest of each member. */
export async function listCharges(db: Db | Tx, teamId: string): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    SELECT DISTINCT ON (c.user_id) c.id, c.user_id, u.username, c.luong, c.state, c.reason
      FROM tournament_charges c JOIN users u ON u.id = c.user_id
     WHERE c.team_id = ${teamId}::bigint
     ORDER BY c.user_id, c.created_at DESC`.execute(db)
  return rows
}

/** What is taken, or may be, is given back; of one member or of the whole team. */
export async function refundCharges(
  tx: Tx,
  { teamId, userId = null, reason }: { teamId: string; userId?: string | null; reason: string },
): Promise<void> {
  await sql`
    UPDATE tournament_charges
       SET state = 'refunding', reason = ${reason}, attempts = 0, next_attempt_at = clock_timestamp()
     WHERE team_id = ${teamId}::bigint AND state IN ('pending', 'applied')
       AND (${userId}::bigint IS NULL OR user_id = ${userId}::bigint)`.execute(tx)
  notify(tx, 'tournament_charge_due')
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
