import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { calendarOf } from './calendar.rules.ts'

const tournament = {
  id: '12',
  name: 'Cúp Hè',
  registration_start_at: '2026-11-20T01:00:00.000Z',
  competition_start_at: '2026-11-25T12:30:00.000Z',
  cancelled_at: null,
} as Tournament

const calendar = (change: Partial<Tournament> = {}) =>
  calendarOf({
    tournament: { ...tournament, ...change },
    updatedAt: new Date('2026-11-19T08:00:00.000Z'),
    publicUrl: 'https://ninja.example.com',
  })

test('a calendar has both dates of a tournament as moments of UTC', () => {
  const lines = calendar().split('\r\n')
  expect(lines.slice(0, 12)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Cong Ninja//Tournaments//VI',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'UID:tournament-12-registration@ninja.example.com',
    'DTSTAMP:20261119T080000Z',
    'DTSTART:20261120T010000Z',
    'SUMMARY:Mở đăng ký: Cúp Hè',
    'URL:https://ninja.example.com/tournament/12',
    'STATUS:CONFIRMED',
    'END:VEVENT',
  ])
  expect(lines).toContain('DTSTART:20261125T123000Z')
  expect(lines.slice(-2)).toEqual(['END:VCALENDAR', ''])
})

test('a cancelled tournament is cancelled in the calendar', () => {
  expect(calendar({ cancelled_at: '2026-11-19T08:00:00.000Z' })).toContain('STATUS:CANCELLED\r\n')
})

test('a name cannot add lines, and a long one is folded between characters', () => {
  expect(calendar({ name: 'Một;hai,ba\\bốn\nBEGIN:VALARM' })).toContain(
    'SUMMARY:Thi đấu: Một\\;hai\\,ba\\\\bốn\\nBEGIN:VALARM\r\n',
  )
  for (const end of ['\r', '\r\n', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
    expect(calendar({ name: `Một${end}BEGIN:VALARM` })).toContain('SUMMARY:Thi đấu: Một\\nBEGIN:VALARM\r\n')
  }
  expect(calendar({ name: 'Một\u0000\u001b\u007fhai\tba' })).toContain('SUMMARY:Thi đấu: Mộthai\tba\r\n')
  const long = calendar({ name: 'Đại hội Ỷ Thiên '.repeat(10).trim() })
  for (const line of long.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(long.replaceAll('\r\n ', '')).toContain(
    `SUMMARY:Thi đấu: ${'Đại hội Ỷ Thiên '.repeat(10).trim()}\r\n`,
  )
})
