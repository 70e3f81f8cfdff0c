import { expect, test } from 'vitest'
import { currentPhase, pickCurrent, waitOf, type CurrentTournament } from './current-tournament.ts'

const NOW = new Date('2026-11-20T00:00:00Z')
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString()

const tournament = (id: string, change: Partial<CurrentTournament> = {}): CurrentTournament => ({
  id,
  name: `Giải ${id}`,
  registration_start_at: at(-48),
  competition_start_at: at(48),
  opened_at: null,
  closed_at: null,
  current_round: 0,
  drawn_at: null,
  draw_public_at: null,
  finished_at: null,
  cancelled_at: null,
  ...change,
})

const announced = tournament('1', { registration_start_at: at(24), competition_start_at: at(72) })
const registering = tournament('2')
const registeringLater = tournament('3', { competition_start_at: at(96) })
const running = tournament('4', { competition_start_at: at(-1), current_round: 1 })
const finished = tournament('5', { competition_start_at: at(-9), current_round: 3, finished_at: at(-1) })
const cancelled = tournament('6', { cancelled_at: at(-1) })

test('a running tournament comes first, then the one whose turn is next', () => {
  const all = [finished, cancelled, announced, registeringLater, registering]
  expect(pickCurrent([...all, running], NOW)?.id).toBe('4')
  expect(pickCurrent(all, NOW)?.id).toBe('2')
  expect(pickCurrent([finished, cancelled, announced], NOW)?.id).toBe('1')
  expect(pickCurrent([finished, cancelled], NOW)).toBeNull()
})

test('the page receives only the fields that it shows', () => {
  const whole = { ...registering, fee: 5, team_count: 9 }
  expect(pickCurrent([whole], NOW)).toEqual(registering)
})

test('the wait is shown in days, on the last day in seconds, and not at all while it runs', () => {
  expect(waitOf(announced, NOW.getTime())).toBe('Mở đăng ký sau 1 ngày 0 giờ')
  expect(waitOf(registering, NOW.getTime())).toBe('Khai cuộc sau 2 ngày 0 giờ')
  expect(waitOf(registering, NOW.getTime() + 47 * 3_600_000 + 1)).toBe('Khai cuộc sau 01:00:00')
  expect(waitOf(running, NOW.getTime())).toBeNull()
  expect(currentPhase(registering, new Date(at(49)))).toBe('drawing')
})
