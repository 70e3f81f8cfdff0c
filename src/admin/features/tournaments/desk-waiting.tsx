import { Panel } from '#admin/kit/screen.tsx'
import type { OperatorMatch, OperatorTournament } from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundName } from '#contract/tournament-rules.ts'
import { Button } from '#ui/button.tsx'
import { deskCopy as copy } from './desk.copy.ts'
import { namesOf, resultText } from './desk-match.tsx'
import { type DeskAct, refusedActs, waitingActs } from './desk-queue.ts'
import type { Desk } from './use-desk.ts'

const stateText = (match: OperatorMatch): string => {
  if (match.is_void || match.winning_team_id !== null) return resultText(match)
  const [one, two] = namesOf(match)
  return copy.queue.score(one, match.team1_win_count, match.team2_win_count, two)
}

/** An act in words, with its match. */
export function actText(act: DeskAct, { matches, max_round }: OperatorTournament): string {
  const kind = copy.kinds[act.kind] ?? act.kind
  if (!('match' in act)) return kind
  const match = matches.find(({ id }) => id === act.match)
  if (match === undefined) return kind
  const place = placeOf(match, drawnMaxRound(max_round, matches))
  const [one, two] = namesOf(match)
  if (act.kind === 'call') return `${copy.call}: ${place}`
  if (act.kind === 'present') {
    const name = act.side === 1 ? one : two
    return `${place}: ${act.is_present ? copy.presentOf(name) : copy.absentOf(name)}`
  }
  const [absent] = act.absent
  const score = copy.queue.score(one, act.games1, act.games2, two)
  if (act.absent.length === 2) return `${place}: ${copy.bothAbsent.toLowerCase()}`
  return `${place}: ${score}${absent === undefined ? '' : `, ${copy.absentOf(absent === 1 ? one : two)}`}`
}

/** Such as “Bán kết, trận 2”; a round of one match has its name alone. */
export function placeOf({ round, position }: OperatorMatch, maxRound: number): string {
  const name = roundName(round, maxRound)
  return round >= maxRound ? name : copy.matchOf(name, position)
}

type Props = { desk: Desk; tournament: OperatorTournament; isOnline: boolean }

/**
 * What the server has not taken yet. It keeps its height whatever it says: it changes with each tap, and a button that moves
 * between a finger's going down and up gets no click, or its neighbour does.
 */
export function SendingLine({ desk, tournament, isOnline }: Props) {
  const waiting = waitingActs(desk.queue)
  const refused = refusedActs(desk.queue)
  const frame = 'min-h-12 rounded-lg border border-line bg-sunken px-3'
  if (waiting.length > 0)
    return (
      <details className={frame}>
        <summary className="cursor-pointer py-2.5 font-bold">
          <Network isOnline={isOnline} /> {copy.queue.waiting(waiting.length)}
        </summary>
        {!isOnline && <p className="text-soft">{copy.keptHere}</p>}
        <ol className="divide-y divide-line pb-2">
          {waiting.map(({ key, act, sent }) => {
            const text = actText(act, tournament)
            return (
              <li key={key} className="flex items-center justify-between gap-2 py-1">
                <span className="min-w-0 wrap-anywhere">{text}</span>
                {sent === null && (
                  <Button kind="text" aria-label={copy.queue.dropOf(text)} onClick={() => desk.drop(key)}>
                    {copy.queue.drop}
                  </Button>
                )}
              </li>
            )
          })}
        </ol>
      </details>
    )
  return (
    <div className={`${frame} flex items-center gap-1`}>
      <Network isOnline={isOnline} />
      {!isOnline && <span className="truncate">{copy.offline}</span>}
      {isOnline && refused.length === 0 && <span className="truncate">{copy.queue.sent}</span>}
      {isOnline && refused.length > 0 && (
        <Button kind="text" onClick={() => document.getElementById(REFUSED)?.scrollIntoView()}>
          {copy.queue.refusedOf(refused.length)}
        </Button>
      )}
    </div>
  )
}

const REFUSED = 'refused-acts'

/** Announced when it changes. */
const Network = ({ isOnline }: Pick<Props, 'isOnline'>) => (
  <strong role="status" className="shrink-0">
    {isOnline ? '' : copy.noNetwork}
  </strong>
)

/** What the server refused. It stands below the matches, which must not move when it comes. */
export function RefusedActs({ desk, tournament }: Omit<Props, 'isOnline'>) {
  const refused = refusedActs(desk.queue)
  if (refused.length === 0) return null
  return (
    <div id={REFUSED}>
      <Panel title={copy.queue.refused}>
        <ul className="divide-y divide-line">
          {refused.map((queued) => {
            const text = actText(queued.act, tournament)
            const present = queued.refused?.present ?? null
            return (
              <li key={queued.key} className="space-y-1 py-2">
                <p className="font-bold wrap-anywhere">{text}</p>
                <p role="alert">{queued.refused?.message}</p>
                {present !== null && <p className="text-soft">{copy.queue.now(stateText(present))}</p>}
                <div className="flex flex-wrap gap-2">
                  <Button
                    kind="plain"
                    aria-label={copy.queue.dismissOf(text)}
                    onClick={() => desk.drop(queued.key)}
                  >
                    {copy.queue.dismiss}
                  </Button>
                  <Button kind="plain" aria-label={copy.queue.redoOf(text)} onClick={() => desk.redo(queued)}>
                    {copy.queue.redo}
                  </Button>
                </div>
              </li>
            )
          })}
        </ul>
      </Panel>
    </div>
  )
}
