import type {
  OperatorMatch,
  OperatorTournament,
  OperatorTournamentRow,
} from '#contract/operator/tournaments.ts'
import { drawnMaxRound, matchOutcome, roundPoints, type Side } from '#contract/tournament-rules.ts'

type MatchAct =
  | { kind: 'call'; match: string }
  | { kind: 'present'; match: string; side: Side; is_present: boolean }
  | { kind: 'result'; match: string; games1: number; games2: number; absent: readonly Side[] }

/** `round` is the one being played, as the referee saw it. */
type WholeAct = { kind: 'pause' | 'resume' | 'next-round' | 'finish'; round: number }

/** What a referee does with one tap. */
export type DeskAct = MatchAct | WholeAct

type Refused = {
  message: string
  /** The match as it is instead. */
  present: OperatorMatch | null
}

export type QueuedAct = {
  /** Each further try repeats this idempotency key, so that the act is done once. */
  key: string
  act: DeskAct
  reason: string
  at: string
  /** `updated_at` of the match that the referee saw; null: an act before it in the queue changes the match first. */
  seen: string | null
  /** The `updated_at` that it was sent with; a further try is the same in every part. */
  sent: string | null
  refused: Refused | null
}

/** The acts of one referee that the server has not taken yet, in their order. */
export type DeskQueue = {
  acts: readonly QueuedAct[]
  /** By the id of a match: its `updated_at` after the last act that was taken; under WHOLE that of the tournament. */
  latest: Readonly<Record<string, string>>
}

export const EMPTY_QUEUE: DeskQueue = { acts: [], latest: {} }
export const QUEUED_MAX = 200
const WHOLE = ''

const matchOf = (act: DeskAct): string | null => ('match' in act ? act.match : null)
const later = (one = '', two = '') => (one > two ? one : two)
export const waitingActs = ({ acts }: DeskQueue) => acts.filter(({ refused }) => refused === null)
export const refusedActs = ({ acts }: DeskQueue) => acts.filter(({ refused }) => refused !== null)

type New = Pick<QueuedAct, 'key' | 'act' | 'reason' | 'at'> & {
  /** `updated_at` of the match on the screen. */
  shown: string | null
}

/** The queue with a new act at its end; null: it is full. */
export function withAct(queue: DeskQueue, { shown, ...given }: New): DeskQueue | null {
  if (queue.acts.length >= QUEUED_MAX) return null
  const match = matchOf(given.act)
  const isChanged = waitingActs(queue).some(({ act }) => matchOf(act) === match || matchOf(act) === null)
  const seen = match === null || shown === null || isChanged ? null : later(shown, queue.latest[match])
  return { ...queue, acts: [...queue.acts, { ...given, seen, sent: null, refused: null }] }
}

/** What is shown at the moment of sending. */
type Shown = Pick<OperatorTournament, 'updated_at' | 'matches'>

/** The `updated_at` that an act is sent with: of what the referee saw, or of what their own acts before have left. */
export function versionOf({ latest }: DeskQueue, { act, seen, sent }: QueuedAct, shown: Shown): string {
  if (sent !== null) return sent
  if (seen !== null) return seen
  const match = matchOf(act)
  if (match === null) return later(shown.updated_at, latest[WHOLE])
  // After an act on the whole tournament its version is as good as the match's.
  const known = later(latest[match], latest[WHOLE])
  return known || (shown.matches.find(({ id }) => id === match)?.updated_at ?? shown.updated_at)
}

const change = (queue: DeskQueue, key: string, to: (queued: QueuedAct) => QueuedAct): DeskQueue => ({
  ...queue,
  acts: queue.acts.map((queued) => (queued.key === key ? to(queued) : queued)),
})

export const sentWith = (queue: DeskQueue, key: string, sent: string): DeskQueue =>
  change(queue, key, (queued) => ({ ...queued, sent }))

/** What the server answers an act with. */
export type Taken = OperatorTournamentRow & { changed?: readonly OperatorMatch[] }

export function takenAs(queue: DeskQueue, { key, act }: QueuedAct, answer: Taken): DeskQueue {
  const acts = queue.acts.filter((queued) => queued.key !== key)
  if (acts.length === 0) return EMPTY_QUEUE
  const changed = (answer.changed ?? []).map(({ id, updated_at }) => [id, updated_at])
  const whole = matchOf(act) === null ? { [WHOLE]: answer.updated_at } : {}
  return { acts, latest: { ...queue.latest, ...whole, ...Object.fromEntries(changed) } }
}

/** The act is kept with the reason, and so are those that were tapped upon it. */
export function refusedWith(
  queue: DeskQueue,
  { key, act }: QueuedAct,
  refused: Refused,
  unsent: string,
): DeskQueue {
  const match = matchOf(act)
  const from = queue.acts.findIndex((queued) => queued.key === key)
  return {
    ...queue,
    acts: queue.acts.map((queued, index) => {
      if (queued.key === key) return { ...queued, refused }
      const isUpon =
        index > from && match !== null && matchOf(queued.act) === match && queued.refused === null
      return isUpon ? { ...queued, refused: { message: unsent, present: refused.present } } : queued
    }),
  }
}

/** Leaves an act out that was not sent, or that was refused; the next one on its match follows what the referee saw then. */
export function without(queue: DeskQueue, key: string): DeskQueue {
  const gone = queue.acts.find((queued) => queued.key === key)
  if (gone === undefined) return queue
  const acts = queue.acts.filter((queued) => queued !== gone)
  if (acts.length === 0) return EMPTY_QUEUE
  const next = acts.find(({ act, seen }) => seen === null && matchOf(act) === matchOf(gone.act))
  if (gone.refused !== null || gone.seen === null || next === undefined) return { ...queue, acts }
  return change({ ...queue, acts }, next.key, (queued) => ({ ...queued, seen: gone.seen }))
}

/** The same act again, under a new key, upon the state that is shown now. */
export function again(queue: DeskQueue, old: QueuedAct, now: Pick<New, 'key' | 'at' | 'shown'>): DeskQueue {
  const { act, reason } = old
  const acts = queue.acts.filter((queued) => queued.key !== old.key)
  return withAct({ ...queue, acts }, { act, reason, ...now }) ?? queue
}

/** An act on the whole tournament that somebody else's act has overtaken, and that still makes sense: it is sent anew. */
export function resent(queue: DeskQueue, { key }: QueuedAct, newKey: string, present: Present): DeskQueue {
  const latest = { ...queue.latest, [WHOLE]: present.updated_at }
  return change({ ...queue, latest }, key, (queued) => ({ ...queued, key: newKey, sent: null }))
}

type Present = Pick<OperatorTournamentRow, 'phase' | 'current_round' | 'paused_at' | 'updated_at'>

export function isStillMeant(act: DeskAct, { phase, current_round, paused_at }: Present): boolean {
  if ('match' in act || phase !== 'running' || current_round !== act.round) return false
  if (act.kind === 'pause') return paused_at === null
  return act.kind === 'resume' ? paused_at !== null : true
}

/** The tournament as it will be once the waiting acts are taken. */
export function withWaiting(tournament: OperatorTournament, queue: DeskQueue): OperatorTournament {
  const maxRound = drawnMaxRound(tournament.max_round, tournament.matches)
  return waitingActs(queue).reduce((shown, { act, at }) => {
    if (act.kind === 'pause') return { ...shown, paused_at: at }
    if (act.kind === 'resume') return { ...shown, paused_at: null }
    if (!('match' in act)) return shown
    const matches = shown.matches.map((match) =>
      match.id === act.match ? acted(match, { act, at, points: roundPoints(match.round, maxRound) }) : match,
    )
    return { ...shown, matches }
  }, tournament)
}

type On = { act: MatchAct; at: string; points: number }

function acted(match: OperatorMatch, { act, at, points }: On): OperatorMatch {
  if (act.kind === 'call') return { ...match, called_at: at, team1_present: false, team2_present: false }
  if (act.kind === 'present') {
    return { ...match, [act.side === 1 ? 'team1_present' : 'team2_present']: act.is_present }
  }
  const { games1, games2, absent } = act
  const outcome = matchOutcome({ games: [games1, games2], absent }, points)
  const { winner, isVoid } = 'fault' in outcome ? { winner: null, isVoid: false } : outcome
  return {
    ...match,
    team1_win_count: games1,
    team2_win_count: games2,
    absent_side: absent.length === 1 ? (absent[0] ?? null) : null,
    is_void: isVoid,
    winning_team_id: winner === null ? null : winner === 1 ? match.team1_id : match.team2_id,
  }
}
