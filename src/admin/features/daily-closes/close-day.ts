import { formatDay } from '#contract/vietnam-time.ts'

/** A day of a close as it is read. */
export const dayText = (day: string): string => formatDay(`${day}T00:00:00+07:00`)
