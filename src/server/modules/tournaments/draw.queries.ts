import { type RawBuilder, sql } from 'kysely'
import type { Chain, Draw, ListedTeam } from '#contract/draw-proof.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { TeamRow } from './registration.queries.ts'

/** A closed list, and what it is drawn by. */
export type StoredDraw = {
  closed_at: Date
  list: ListedTeam[]
  list_digest: string
  chain: Chain
  round: number
  signature: string | null
}

export async function insertDraw(
  tx: Tx,
  tournamentId: string,
  { list, chain, ...draw }: Omit<StoredDraw, 'signature'>,
): Promise<void> {
  await tx
    .insertInto('tournament_draw')
    .values({
      ...draw,
      tournament_id: tournamentId,
      list: JSON.stringify(list),
      chain: JSON.stringify(chain),
    })
    .execute()
}

export async function findDraw(db: Db | Tx, tournamentId: string): Promise<StoredDraw | undefined> {
  const { rows } = await sql<Omit<StoredDraw, 'round'> & { round: string }>`
    SELECT closed_at, list, list_digest, chain, round, signature FROM tournament_draw
     WHERE tournament_id = ${tournamentId}::bigint`.execute(db)
  return rows[0] && { ...rows[0], round: Number(rows[0].round) }
}

export async function updateSignature(tx: Tx, tournamentId: string, signature: string): Promise<void> {
  await tx
    .updateTable('tournament_draw')
    .set({ signature })
    .where('tournament_id', '=', tournamentId)
    .execute()
}

export type TeamOfDraw = Pick<TeamRow, 'id' | 'name' | 'state'> & {
  seed: number | null
  /** Null before the draw, and of a team that does not play. */
  draw_position: number | null
  members: NonNullable<Draw['teams'][number]['members']>
}

/** All teams that there ever were, with who plays for them. */
export const listTeamsOfDraw = (db: Db, tournamentId: string): Promise<TeamOfDraw[]> =>
  listTeamsWithMembers(db, tournamentId, sql`true`)

/** Those that are not out. */
export const listTeamsToDraw = (tx: Tx, tournamentId: string): Promise<TeamOfDraw[]> =>
  listTeamsWithMembers(tx, tournamentId, sql`t.state <> 'withdrawn'`)

async function listTeamsWithMembers(
  db: Db | Tx,
  tournamentId: string,
  which: RawBuilder<unknown>,
): Promise<TeamOfDraw[]> {
  const { rows } = await sql<TeamOfDraw>`
    SELECT t.id, t.name, t.state, t.seed, t.draw_position,
           coalesce((
             SELECT jsonb_agg(jsonb_build_object('character_name', m.character_name, 'server_id', m.server_id,
                                                 'is_substitute', m.is_substitute) ORDER BY m.position)
               FROM team_members m WHERE m.team_id = t.id), '[]') AS members
      FROM teams t WHERE t.tournament_id = ${tournamentId}::bigint AND ${which} ORDER BY t.id`.execute(db)
  return rows
}

/** The secret and the list of a draw that was made before there was a beacon. */
export async function findSecretDraw(
  db: Db,
  tournamentId: string,
): Promise<
  { commitment: string; secret: string; list: Pick<ListedTeam, 'id' | 'digest' | 'seed'>[] } | undefined
> {
  const { rows } = await sql<{
    commitment: string
    secret: string
    list: Pick<ListedTeam, 'id' | 'digest' | 'seed'>[]
  }>`
    SELECT draw_commitment AS commitment, draw_secret AS secret, drawn_list AS list FROM tournaments
     WHERE id = ${tournamentId}::bigint AND drawn_list IS NOT NULL`.execute(db)
  return rows[0]
}
