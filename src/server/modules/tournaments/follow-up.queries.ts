import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { type IsResting, listDueOf } from '#server/platform/queues/due-rows.ts'

/** For an act that does the first part itself, whatever has failed before. */
export const allDue: IsResting = () => sql<boolean>`false`

type Few = { tournamentId: string | null; limit: number }

/** Of a drawn tournament, or of all, teams that are neither in the draw nor out. */
export async function listNotDrawn(
  db: Db | Tx,
  isResting: IsResting,
  { tournamentId, limit }: Few,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM tournaments cup JOIN teams t ON t.tournament_id = cup.id AND t.state IN ('held', 'waiting')
     WHERE cup.current_round > 0 AND cup.cancelled_at IS NULL
       AND (${tournamentId}::bigint IS NULL OR cup.id = ${tournamentId}::bigint) AND NOT ${isResting(sql`t.id`)}
     ORDER BY t.id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export type TeamOf = { id: string; tournamentId: string }

export async function listTournamentsOf(db: Db, teamIds: readonly string[]): Promise<TeamOf[]> {
  const { rows } = await sql<TeamOf>`
    SELECT id, tournament_id AS "tournamentId" FROM teams WHERE id = ANY(${[...teamIds]}::bigint[])`.execute(
    db,
  )
  return rows
}

/** Cancelled tournaments of which some players are not told yet. */
export const listUntoldCancelled = listDueOf({
  id: 'tournaments.id',
  from: sql`tournaments`,
  isDue: sql<boolean>`cancelled_told_to IS NOT NULL`,
  order: sql`cancelled_at`,
})

/** The next teams whose players are to be told that the tournament is cancelled; null where all were. Under its lock. */
export async function listTeamsToTell(
  tx: Tx,
  tournamentId: string,
  { limit }: { limit: number },
): Promise<string[] | null> {
  const { rows } = await sql<{ teamIds: string[] }>`
    SELECT ARRAY(SELECT t.id::text FROM teams t
                  WHERE t.tournament_id = cup.id AND t.id > cup.cancelled_told_to AND t.state <> 'withdrawn'
                  ORDER BY t.id LIMIT ${limit}) AS "teamIds"
      FROM tournaments cup WHERE cup.id = ${tournamentId}::bigint AND cup.cancelled_told_to IS NOT NULL`.execute(
    tx,
  )
  return rows[0]?.teamIds ?? null
}

/** Null: all are told. */
export async function updateToldTo(tx: Tx, tournamentId: string, teamId: string | null): Promise<void> {
  await tx
    .updateTable('tournaments')
    .set({ cancelled_told_to: teamId })
    .where('id', '=', tournamentId)
    .execute()
}
