import { describe, expect, test } from 'vitest'
import type { Match } from '#contract/tournaments.ts'
import { aMatch } from '#tests/support/tournaments.ts'
import { afterEvent, calledMatches, placedSince, type Bracket } from './live.ts'
import { tournament } from './testing/tournament.ts'

const match = (position: number, change: Partial<Match> = {}) => aMatch(String(position), change)

const open = { team1_id: null, team_one: null, team2_id: null, team_two: null }
const semi = [match(1), match(2)]
const final = match(3, { round: 2, position: 1, ...open })
const bracket = (change: Partial<Bracket> = {}): Bracket => ({
  tournament: tournament({}),
  matches: [...semi, final],
  event: 7,
  ...change,
})

/** As the server sends it: without names. */
function sent(match: Match) {
  const { team_one: _one, team_two: _two, ...change } = match
  return change
}

describe('a bracket after an event', () => {
  test('has the new result, and the winner with its name in the next match', () => {
    const changed = [match(1, { winning_team_id: '11', team1_win_count: 3 }), { ...final, team1_id: '11' }]
    const next = afterEvent(bracket(), { number: 8, event: { matches: changed.map(sent) } })
    expect(next?.event).toBe(8)
    expect(next?.matches[0]).toEqual(changed[0])
    expect(next?.matches[2]).toMatchObject({ team1_id: '11', team_one: { team_name: 'Đội 11' } })
  })

  test('keeps the objects of matches that have not changed', () => {
    const before = bracket()
    const next = afterEvent(before, {
      number: 8,
      event: { matches: [sent(match(1, { team1_win_count: 1 }))] },
    })
    expect(next?.matches[1]).toBe(before.matches[1])
    expect(next?.tournament).toBe(before.tournament)
    expect(afterEvent(before, { number: 8, event: {} })?.matches).toBe(before.matches)
  })

  test('has the changed fields of the tournament', () => {
    const next = afterEvent(bracket(), {
      number: 8,
      event: { tournament: { paused_at: '2026-11-19T01:00:00.000Z' } },
    })
    expect(next?.tournament).toEqual({ ...tournament({}), paused_at: '2026-11-19T01:00:00.000Z' })
  })

  test('is the same when it has the event already', () => {
    const before = bracket()
    const old = sent(match(1, { team1_win_count: 1 }))
    for (const number of [6, 7])
      expect(afterEvent(before, { number, event: { matches: [old] } })).toBe(before)
  })

  test('is read again when an event is missing, or too much has changed', () => {
    expect(afterEvent(bracket(), { number: 9, event: {} })).toBeNull()
    expect(afterEvent(bracket(), { number: 8, event: { isWhole: true } })).toBeNull()
    expect(afterEvent(bracket(), { number: null, event: { isWhole: true } })).toBeNull()
  })

  test('is read again when a team has no known name, unless the list of teams has it', () => {
    const placed = sent({ ...final, team1_id: '99' })
    expect(afterEvent(bracket(), { number: 8, event: { matches: [placed] } })).toBeNull()
    const next = afterEvent(
      bracket(),
      { number: null, event: { matches: [placed] } },
      new Map([['99', 'Đội từ bốc thăm']]),
    )
    expect(next).toMatchObject({ event: 7 })
    expect(next?.matches[2]?.team_one).toEqual({ team_name: 'Đội từ bốc thăm' })
  })

  test('has matches that were not there, in their places', () => {
    const next = afterEvent(bracket({ matches: [final] }), {
      number: 8,
      event: { matches: [sent(match(2, open)), sent(match(1, open))] },
    })
    expect(next?.matches.map(({ id }) => id)).toEqual(['1', '2', '3'])
  })
})

test('called matches are those that wait for their teams or are being played, in the order of the calls', () => {
  const at = (minute: number) => `2026-11-19T01:0${minute}:00.000Z`
  const matches = [
    match(1, { called_at: at(3) }),
    match(2, { called_at: at(1), winning_team_id: '21' }),
    match(3, { called_at: at(1), is_void: true }),
    match(4, { called_at: at(2), team1_win_count: 1 }),
    match(5),
  ]
  expect(calledMatches(matches).map(({ id }) => id)).toEqual(['4', '1'])
})

test('the team that the draw has just placed is known by what the bracket had before', () => {
  const before = [match(1, { team2_id: null, team_two: null }), match(2, open)]
  const after = [match(1, { team2_id: null, team_two: null }), match(2, { team2_id: null, team_two: null })]
  expect(placedSince(before, after)).toEqual({ name: 'Đội 21', position: 2 })
  expect(placedSince(after, after)).toBeNull()
})
