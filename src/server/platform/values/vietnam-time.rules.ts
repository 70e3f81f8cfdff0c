/** Vietnam has no summer time. */
const OFFSET_MS = 7 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const DAY = /^\d{4}-\d\d-\d\d$/
const CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

const inVietnam = (moment: Date): string => new Date(moment.getTime() + OFFSET_MS).toISOString()

/** `2024-07-02 11:08:33` in the time zone of Vietnam. */
export const vietnamClock = (moment: Date): string => inVietnam(moment).slice(0, 19).replace('T', ' ')

/** The moment of such a text; undefined for a date that no calendar has. */
export function readVietnamClock(text: string): Date | undefined {
  if (!CLOCK.test(text)) return undefined
  const moment = new Date(`${text.replace(' ', 'T')}+07:00`)
  return !Number.isNaN(moment.getTime()) && vietnamClock(moment) === text ? moment : undefined
}

/** The day in Vietnam, `2024-07-02`. */
export const vietnamDay = (moment: Date): string => inVietnam(moment).slice(0, 10)

/** When a day of the calendar begins and ends in Vietnam. */
export function boundsOfDay(day: string): { start: Date; end: Date } {
  const start = new Date(`${day}T00:00:00+07:00`)
  return { start, end: new Date(start.getTime() + DAY_MS) }
}

/** The same; undefined when the calendar has no such day. */
export const vietnamDayBounds = (day: string): { start: Date; end: Date } | undefined =>
  DAY.test(day) && readVietnamClock(`${day} 00:00:00`) ? boundsOfDay(day) : undefined
