import type { Insertable } from 'kysely'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type NewTournament = Insertable<DB['tournaments']>

export async function insertTournament(tx: Tx, tournament: NewTournament): Promise<string> {
  const { id } = await tx
    .insertInto('tournaments')
    .values(tournament)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns their ids in the order of the names. */
export async function insertTeams(tx: Tx, tournamentId: string, names: readonly string[]): Promise<string[]> {
  const rows = await tx
    .insertInto('teams')
    .values(names.map((name) => ({ tournament_id: tournamentId, name })))
    .returning(['id', 'name'])
    .execute()
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return names.map((name) => ids.get(name) as string)
}

export async function insertMatches(tx: Tx, matches: readonly Insertable<DB['matches']>[]): Promise<void> {
  await tx.insertInto('matches').values(matches).execute()
}

export async function updateWinner(tx: Tx, tournamentId: string, teamId: string): Promise<void> {
  await tx
    .updateTable('tournaments')
    .set({ winning_team_id: teamId })
    .where('id', '=', tournamentId)
    .execute()
}
