import { describe, expect, test } from 'vitest'
import type { OperatorMatch, OperatorTournament } from '#contract/operator/tournaments.ts'
import { aMatch } from '#tests/support/tournaments.ts'
import {
  again,
  type DeskAct,
  type DeskQueue,
  EMPTY_QUEUE,
  isStillMeant,
  QUEUED_MAX,
  refusedActs,
  refusedWith,
  sentWith,
  takenAs,
  type Taken,
  versionOf,
  waitingActs,
  withAct,
  without,
  withWaiting,
} from './desk-queue.ts'

const match = (id: string, change: Partial<OperatorMatch> = {}): OperatorMatch => ({
  ...aMatch(id),
  updated_at: 'm0',
  ...change,
})

/** Semi-finals, in which three games win. */
const tournament = {
  updated_at: 't0',
  max_round: 2,
  current_round: 1,
  paused_at: null,
  matches: [match('1'), match('2')],
} as unknown as OperatorTournament

const games = (match: string, games1: number, games2 = 0): DeskAct => ({
  kind: 'result',
  match,
  games1,
  games2,
  absent: [],
})

let keys = 0
const add = (queue: DeskQueue, act: DeskAct, shown: string | null = 'm0'): DeskQueue =>
  withAct(queue, { key: `k${++keys}`, act, reason: 'Ghi tại bàn', at: '2026-01-01T00:00:00.000Z', shown })!

const queued = (...acts: DeskAct[]): DeskQueue => acts.reduce((queue, act) => add(queue, act), EMPTY_QUEUE)

const answer = (updated_at: string, ...changed: [id: string, updated_at: string][]) =>
  ({ updated_at, changed: changed.map(([id, at]) => match(id, { updated_at: at })) }) as unknown as Taken

const refusal = { message: 'Vừa được người khác ghi', present: match('1', { updated_at: 'm9' }) }
const first = (queue: DeskQueue) => waitingActs(queue)[0]!

describe('taps without network', () => {
  test('on one match follow one another: each is sent with the version that the one before has left', () => {
    let queue = queued(games('1', 1), games('1', 2))
    expect(versionOf(queue, first(queue), tournament)).toBe('m0')
    queue = takenAs(queue, first(queue), answer('t1', ['1', 'm1']))
    expect(versionOf(queue, first(queue), tournament)).toBe('m1')
    expect(takenAs(queue, first(queue), answer('t2', ['1', 'm2']))).toEqual(EMPTY_QUEUE)
  })

  test('on another match are sent with what the referee saw, whatever happened to the tournament', () => {
    let queue = queued(games('1', 1), games('2', 1))
    queue = takenAs(queue, first(queue), answer('t1', ['1', 'm1']))
    expect(versionOf(queue, first(queue), tournament)).toBe('m0')
  })

  test('after an act on the whole tournament are sent with its version, which changed the matches too', () => {
    let queue = queued({ kind: 'resume', round: 1 }, games('1', 1), games('1', 2))
    expect(versionOf(queue, first(queue), tournament)).toBe('t0')
    queue = takenAs(queue, first(queue), answer('t1'))
    expect(versionOf(queue, first(queue), tournament)).toBe('t1')
    queue = takenAs(queue, first(queue), answer('t2', ['1', 't2']))
    expect(versionOf(queue, first(queue), tournament)).toBe('t2')
  })

  test('are shown as they will be: score, winner, who is absent, the pause', () => {
    const shown = withWaiting(
      tournament,
      queued(
        { kind: 'call', match: '1' },
        { kind: 'present', match: '1', side: 2, is_present: true },
        games('1', 3, 1),
        { kind: 'result', match: '2', games1: 0, games2: 0, absent: [1, 2] },
        { kind: 'pause', round: 1 },
      ),
    )
    expect(shown.paused_at).toBe('2026-01-01T00:00:00.000Z')
    expect(shown.matches).toEqual([
      match('1', {
        called_at: '2026-01-01T00:00:00.000Z',
        team2_present: true,
        team1_win_count: 3,
        team2_win_count: 1,
        winning_team_id: '11',
      }),
      match('2', { is_void: true }),
    ])
  })

  test('are limited', () => {
    const full = queued(...Array.from({ length: QUEUED_MAX }, () => games('1', 1)))
    expect(withAct(full, { key: 'k', act: games('1', 2), reason: 'r', at: 'a', shown: null })).toBeNull()
  })
})

describe('an act', () => {
  test('that got no answer is sent again with the same version', () => {
    for (const act of [games('1', 1), { kind: 'pause', round: 1 } as const]) {
      const queue = queued(act)
      const version = versionOf(queue, first(queue), tournament)
      const sent = sentWith(queue, first(queue).key, version)
      // Somebody else has acted meanwhile.
      const newer = { updated_at: 't5', matches: [match('1', { updated_at: 'm5' })] }
      expect(versionOf(sent, first(sent), newer)).toBe(version)
    }
  })

  test('that is refused keeps those upon it from being sent, and no others', () => {
    let queue = queued(games('1', 1), games('2', 1), games('1', 2))
    queue = refusedWith(queue, first(queue), refusal, 'chưa gửi')
    expect(waitingActs(queue).map(({ act }) => act)).toEqual([games('2', 1)])
    expect(refusedActs(queue).map(({ refused }) => refused?.message)).toEqual([refusal.message, 'chưa gửi'])
  })

  test('that was refused is done again upon the state that is there now, under a new key', () => {
    let queue = queued(games('1', 2))
    const old = first(queue)
    queue = refusedWith(queue, old, refusal, 'chưa gửi')
    queue = again(queue, refusedActs(queue)[0]!, { key: 'new', at: 'now', shown: 'm9' })
    expect(first(queue)).toMatchObject({ key: 'new', act: games('1', 2), refused: null })
    expect(versionOf(queue, first(queue), tournament)).toBe('m9')
  })

  test('that is left out before it was sent hands on what the referee saw', () => {
    const queue = queued(games('1', 1), games('1', 2))
    const left = without(queue, first(queue).key)
    expect(versionOf(left, first(left), tournament)).toBe('m0')
    expect(without(left, first(left).key)).toEqual(EMPTY_QUEUE)
  })

  test('on the whole tournament still makes sense while its round and its pause are as they were', () => {
    const present = { phase: 'running' as const, current_round: 1, paused_at: null, updated_at: 't5' }
    const pausedNow = { ...present, paused_at: 'now' }
    expect(isStillMeant({ kind: 'next-round', round: 1 }, present)).toBe(true)
    expect(isStillMeant({ kind: 'next-round', round: 1 }, { ...present, current_round: 2 })).toBe(false)
    expect(isStillMeant({ kind: 'pause', round: 1 }, pausedNow)).toBe(false)
    expect(isStillMeant({ kind: 'resume', round: 1 }, pausedNow)).toBe(true)
    expect(isStillMeant(games('1', 1), present)).toBe(false)
  })
})
