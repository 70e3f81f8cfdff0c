import { paths } from '#contract/pages.ts'
import type { Tournament } from '#contract/tournaments.ts'

type Calendar = { tournament: Tournament; updatedAt: Date; publicUrl: string }

/**
 * A tournament as a calendar file (RFC 5545): when registration opens and when the competition begins, as moments of UTC,
 * so that no time zone has to be described. A calendar that has it already knows the events by their ids.
 */
export function calendarOf({ tournament, updatedAt, publicUrl }: Calendar): string {
  const { id, name, registration_start_at, competition_start_at, cancelled_at } = tournament
  const url = `${publicUrl}${paths.tournament(id)}`
  const event = (what: string, at: string, summary: string) => [
    'BEGIN:VEVENT',
    `UID:tournament-${id}-${what}@${new URL(publicUrl).hostname}`,
    `DTSTAMP:${utc(updatedAt)}`,
    `DTSTART:${utc(new Date(at))}`,
    `SUMMARY:${escaped(summary)}`,
    `URL:${url}`,
    `STATUS:${cancelled_at === null ? 'CONFIRMED' : 'CANCELLED'}`,
    'END:VEVENT',
  ]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Cong Ninja//Tournaments//VI',
    'METHOD:PUBLISH',
    ...event('registration', registration_start_at, `Mở đăng ký: ${name}`),
    ...event('competition', competition_start_at, `Thi đấu: ${name}`),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** `20261120T120000Z` */
const utc = (moment: Date) => `${moment.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/**
 * RFC 5545, 3.3.11: of the controls a text may have a tab; every kind of line break is written as one. A program that reads the
 * file may end a line at any of them.
 */
const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\\n')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')

const LINE_BYTES_MAX = 75

/** A line has at most 75 bytes; what follows begins with a space. No character is cut in two. */
function folded(line: string): string {
  let text = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES_MAX) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return text
}
