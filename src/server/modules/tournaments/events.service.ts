import type { Match, Tournament } from '#contract/tournaments.ts'
import { notify } from '#server/domain/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { type Before, insertEvent } from './events.queries.ts'
import { listMatchRows } from './matches.queries.ts'
import { toMatch } from './tournaments.service.ts'

/** Above this a spectator reads the whole bracket again, as after a draw, which makes every match. */
const MATCHES_IN_EVENT = 40

type Happened = {
  before: Tournament
  after: Tournament
  /** Ids of matches. */
  changed: readonly string[]
  areTeamsChanged?: boolean
  undo?: Before | undefined
}

/** Under the tournament's lock: what spectators are sent of an act, and how it is undone. */
export async function recordEvent(
  tx: Tx,
  { id, kind, operatorId }: { id: string; kind: string; operatorId: string | null },
  { before, after, changed, areTeamsChanged = false, undo }: Happened,
): Promise<number> {
  const isDrawn = before.drawn_at !== after.drawn_at
  const isShort = changed.length <= MATCHES_IN_EVENT && !isDrawn
  const rows = changed.length > 0 && isShort ? await listMatchRows(tx, id) : []
  const matches = rows.filter((row) => changed.includes(row.id)).map((row) => withoutNames(toMatch(row)))
  const number = await insertEvent(tx, {
    tournamentId: id,
    kind,
    operatorId,
    change: {
      tournament: changedFields(before, after),
      ...(isShort ? { matches } : { isWhole: true }),
      ...(areTeamsChanged && { areTeamsChanged }),
    },
    before: undo ?? null,
  })
  notify(tx, 'tournament_changed', `${id} ${number}`)
  return number
}

/** Names are read with the teams, so that erasing one leaves nothing in the events. */
export const withoutNames = ({ team_one: _one, team_two: _two, ...match }: Match) => match

/** The champion's name is read with the bracket; the console's own fields are not for spectators. */
const NOT_SENT = new Set(['winner', 'phase', 'updated_at'])

const changedFields = (before: Tournament, after: Tournament) =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) =>
        !NOT_SENT.has(field) && JSON.stringify(value) !== JSON.stringify(before[field as keyof Tournament]),
    ),
  )
