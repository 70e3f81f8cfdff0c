import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { MatchState } from './matches.queries.ts'
import type { TournamentRow } from './tournaments.queries.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

/** What an act at the desk changes of the tournament itself. */
type TournamentState = Pick<TournamentRow, 'current_round' | 'paused_at' | 'finished_at'> & {
  winning_team_id: string | null
}

/** The rows before an act, as it is undone. */
export type Before = {
  tournament: Partial<TournamentState>
  matches: ({ id: string } & MatchState)[]
}

export type NewEvent = {
  tournamentId: string
  kind: string
  /** Null: a player, or the passing of time. */
  operatorId: string | null
  change: object
  before: Before | null
}

/** Under the tournament's lock. Returns its number. */
export async function insertEvent(
  tx: Tx,
  { tournamentId, kind, operatorId, change, before }: NewEvent,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    INSERT INTO tournament_events (tournament_id, number, kind, operator_id, change, before)
    SELECT ${tournamentId}::bigint, coalesce(max(number), 0) + 1, ${kind}, ${operatorId}::bigint,
           ${JSON.stringify(change)}::jsonb, ${before && JSON.stringify(before)}::jsonb
      FROM tournament_events WHERE tournament_id = ${tournamentId}::bigint
    RETURNING number`.execute(tx)
  return rows[0]?.number ?? 0
}

export async function findLastNumber(db: Db | Tx, tournamentId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    SELECT coalesce(max(number), 0) AS last FROM tournament_events
     WHERE tournament_id = ${tournamentId}::bigint`.execute(db)
  return rows[0]?.last ?? 0
}

export type UndoableEvent = { number: number; kind: string; before: Before }

/** The last act that can be undone and is not. */
export async function findLastAct(db: Db | Tx, tournamentId: string): Promise<UndoableEvent | undefined> {
  const { rows } = await sql<UndoableEvent>`
    SELECT number, kind, before FROM tournament_events
     WHERE tournament_id = ${tournamentId}::bigint AND undone_by IS NULL AND before IS NOT NULL
     ORDER BY number DESC LIMIT 1`.execute(db)
  return rows[0]
}

export async function markUndone(
  tx: Tx,
  tournamentId: string,
  { number, by }: { number: number; by: number },
): Promise<void> {
  await tx
    .updateTable('tournament_events')
    .set({ undone_by: by })
    .where('tournament_id', '=', tournamentId)
    .where('number', '=', number)
    .execute()
}

/** Behind this number, the oldest first. */
export async function listEventsAfter(
  db: Db,
  tournamentId: string,
  { number, limit }: { number: number; limit: number },
): Promise<{ number: number; change: object }[]> {
  const { rows } = await sql<{ number: number; change: object }>`
    SELECT number, change FROM tournament_events
     WHERE tournament_id = ${tournamentId}::bigint AND number > ${number}
     ORDER BY number LIMIT ${limit}`.execute(db)
  return rows
}

/** Of tournaments that were over by then, an amount at a time. Answers how many. */
export const removeOldEvents = (deps: { db: Db; log: Log }, before: Date): Promise<boolean> =>
  sweep(deps, {
    job: 'old tournament events',
    table: 'tournament_events',
    isDue: sql`due.at < ${before} AND EXISTS (
      SELECT FROM tournaments t
       WHERE t.id = due.tournament_id AND (t.finished_at < ${before} OR t.cancelled_at < ${before}))`,
    order: sql`due.at`,
  })
