import type { OperatorMatch, OperatorTournament } from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundName, roundPoints } from '#contract/tournament-rules.ts'
import { Badge } from '#ui/badge.tsx'
import { RoundResults } from '#admin/features/tournaments/round-results.tsx'
import { tournamentsCopy } from '#admin/features/tournaments/tournaments.copy.ts'
import { Panel } from '#admin/kit/screen.tsx'

const copy = tournamentsCopy.bracket

type Props = { tournament: OperatorTournament; isReferee: boolean }

/** The rounds, the one being played first and open for results. */
export function BracketPanel({ tournament, isReferee }: Props) {
  const { matches, max_round, current_round, phase, id } = tournament
  const maxRound = drawnMaxRound(max_round, matches)
  const rounds = [...new Set(matches.map(({ round }) => round))]
  const isRunning = phase === 'running'
  const ordered = isRunning ? [current_round, ...rounds.filter((round) => round !== current_round)] : rounds
  return (
    <Panel title={copy.title}>
      {matches.length === 0 && <p>{copy.none}</p>}
      <div className="space-y-6">
        {ordered.map((round) => {
          const name = roundName(round, maxRound)
          const points = roundPoints(round, maxRound)
          const played = matches.filter((match) => match.round === round)
          const isCurrent = isRunning && round === current_round
          return (
            <section key={round} aria-label={name}>
              <h3 className="mb-2 flex flex-wrap items-center gap-2 text-base">
                {name}
                <span className="text-sm font-normal text-soft">{copy.points(points)}</span>
                {isCurrent && <Badge tone="danger">{copy.current}</Badge>}
              </h3>
              {isCurrent && isReferee ? (
                <RoundResults key={round} tournamentId={id} round={{ name, points }} matches={played} />
              ) : (
                <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
                  {played.map((match) => (
                    <li key={match.id}>
                      <MatchLine match={match} />
                    </li>
                  ))}
                </ul>
              )}
            </section>
          )
        })}
      </div>
    </Panel>
  )
}

function MatchLine({ match }: { match: OperatorMatch }) {
  const { team_one, team_two, team1_win_count, team2_win_count, winning_team_id, team1_id, team2_id } = match
  const missing = winning_team_id === null ? copy.waiting : copy.bye
  const side = (name: string | undefined, id: string | null) =>
    id !== null && id === winning_team_id ? <strong>{name}</strong> : (name ?? missing)
  return (
    <span className="flex flex-wrap gap-x-2">
      <span className="text-soft">{copy.match(match.position)}</span>
      {side(team_one?.team_name, team1_id)}
      <span className="tabular-nums">
        {team1_win_count}–{team2_win_count}
      </span>
      {side(team_two?.team_name, team2_id)}
    </span>
  )
}
