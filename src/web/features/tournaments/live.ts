import type { AnswerOf } from '#contract/endpoint.ts'
import type { getBracket, Match, TournamentEvent } from '#contract/tournaments.ts'

export type Bracket = AnswerOf<typeof getBracket>

/** Names of teams by their ids. */
export type TeamNames = ReadonlyMap<string, string>

type Numbered = {
  /** Null for what the passing of time has changed. */
  number: number | null
  event: TournamentEvent
}

/**
 * The bracket after an event, in which matches that have not changed are the same objects; null where it has to be read
 * again: events were missed, or a team has no known name.
 */
export function afterEvent(
  bracket: Bracket,
  { number, event }: Numbered,
  names: TeamNames = new Map(),
): Bracket | null {
  if (number !== null && number <= bracket.event) return bracket
  if (event.isWhole || (number !== null && number > bracket.event + 1)) return null
  const matches = event.matches?.length
    ? withMatches(bracket.matches, event.matches, new Map([...names, ...namesIn(bracket.matches)]))
    : bracket.matches
  return (
    matches && {
      tournament: event.tournament ? { ...bracket.tournament, ...event.tournament } : bracket.tournament,
      matches,
      event: number ?? bracket.event,
    }
  )
}

type Change = NonNullable<TournamentEvent['matches']>[number]

function withMatches(
  matches: readonly Match[],
  changes: readonly Change[],
  names: TeamNames,
): Match[] | null {
  const byId = new Map(matches.map((match) => [match.id, match]))
  for (const change of changes) {
    const { team1_id, team2_id } = change
    const isKnown = [team1_id, team2_id].every((id) => id === null || names.has(id))
    if (!isKnown) return null
    byId.set(change.id, { ...change, team_one: named(team1_id, names), team_two: named(team2_id, names) })
  }
  return [...byId.values()].sort((a, b) => a.round - b.round || a.position - b.position)
}

function named(id: string | null, names: TeamNames): Match['team_one'] {
  const name = id === null ? undefined : names.get(id)
  return name === undefined ? null : { team_name: name }
}

function namesIn(matches: readonly Match[]): [string, string][] {
  return matches.flatMap(({ team1_id, team_one, team2_id, team_two }) => [
    ...(team1_id && team_one ? [[team1_id, team_one.team_name] as [string, string]] : []),
    ...(team2_id && team_two ? [[team2_id, team_two.team_name] as [string, string]] : []),
  ])
}

/** What the referee has called and is not decided, in the order of the calls. */
export function calledMatches(matches: readonly Match[]): Match[] {
  return matches
    .filter((match) => match.called_at !== null && match.winning_team_id === null && !match.is_void)
    .sort((a, b) => (a.called_at ?? '').localeCompare(b.called_at ?? ''))
}

/** A team that has been placed by the draw, and the match it has come into. */
export type Placed = { name: string; position: number }

/** Which team has been placed since the bracket before; the last one where there are several. */
export function placedSince(before: readonly Match[], after: readonly Match[]): Placed | null {
  const known = new Set(namesIn(before).map(([id]) => id))
  for (const match of [...after].reverse()) {
    const fresh = namesIn([match]).find(([id]) => !known.has(id))
    if (fresh) return { name: fresh[1], position: match.position }
  }
  return null
}
