import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'

export type NewTournament = {
  name: string
  registrationStartAt: Date
  competitionStartAt: Date
  mode: number
  fee: number
  type: number
  minLevel: number
  maxLevel: number
  maxRound: number
  currentRound: number
  allowedClasses: readonly number[]
}

export async function insertTournament(tx: Tx, tournament: NewTournament): Promise<string> {
  const { id } = await tx
    .insertInto('tournaments')
    .values({
      name: tournament.name,
      registration_start_at: tournament.registrationStartAt,
      competition_start_at: tournament.competitionStartAt,
      mode: tournament.mode,
      fee: tournament.fee,
      type: tournament.type,
      min_level: tournament.minLevel,
      max_level: tournament.maxLevel,
      max_round: tournament.maxRound,
      current_round: tournament.currentRound,
      allowed_classes: [...tournament.allowedClasses],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Answers their ids in the order of the names. */
export async function insertTeams(tx: Tx, tournamentId: string, names: readonly string[]): Promise<string[]> {
  const rows = await tx
    .insertInto('teams')
    .values(names.map((name) => ({ tournament_id: tournamentId, name })))
    .returning(['id', 'name'])
    .execute()
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return names.map((name) => ids.get(name) as string)
}

export type NewMatch = {
  round: number
  position: number
  team1Id: string | null
  team2Id: string | null
  wins: readonly [number, number]
  winnerId: string | null
}

export async function insertMatches(
  tx: Tx,
  tournamentId: string,
  matches: readonly NewMatch[],
): Promise<void> {
  await tx
    .insertInto('matches')
    .values(
      matches.map(({ round, position, team1Id, team2Id, wins, winnerId }) => ({
        tournament_id: tournamentId,
        round,
        position,
        team1_id: team1Id,
        team2_id: team2Id,
        team1_win_count: wins[0],
        team2_win_count: wins[1],
        winning_team_id: winnerId,
      })),
    )
    .execute()
}

export async function updateWinner(tx: Tx, tournamentId: string, teamId: string): Promise<void> {
  await tx
    .updateTable('tournaments')
    .set({ winning_team_id: teamId })
    .where('id', '=', tournamentId)
    .execute()
}

/** Notifies every process that pages may have changed. Sent at COMMIT. */
export async function notifyContentChanged(tx: Tx): Promise<void> {
  await sql`SELECT pg_notify('content_changed', 'tournaments')`.execute(tx)
}
