/** Vietnam has no summer time. */
const OFFSET_MS = 7 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const DAY = /^\d{4}-\d\d-\d\d$/
const CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

const wall = (moment: Date): string => new Date(moment.getTime() + OFFSET_MS).toISOString()

/** `2024-07-02 11:08:33` in the time zone of Vietnam. */
export const vietnamClock = (moment: Date): string => wall(moment).slice(0, 19).replace('T', ' ')

/** The moment such a clock shows. Dates no calendar has are refused rather than rolled over. */
export function readVietnamClock(text: string): Date | undefined {
  if (!CLOCK.test(text)) return undefined
  const moment = new Date(`${text.replace(' ', 'T')}+07:00`)
  return !Number.isNaN(moment.getTime()) && vietnamClock(moment) === text ? moment : undefined
}

/** The day on the calendar in Vietnam, `2024-07-02`. */
export const vietnamDay = (moment: Date): string => wall(moment).slice(0, 10)

/** From where a day of Vietnam begins to where the next does; undefined when the calendar has no such day. */
export function vietnamDayBounds(day: string): { start: Date; end: Date } | undefined {
  const start = DAY.test(day) ? readVietnamClock(`${day} 00:00:00`) : undefined
  return start && { start, end: new Date(start.getTime() + DAY_MS) }
}
