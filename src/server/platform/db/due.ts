import { sql, type RawBuilder } from 'kysely'
import { SLACK_SECONDS } from '../values/moments.rules.ts'

/** The statement's time, not the transaction's, which may have waited for a lock. */
const ago = (seconds: number) => sql`statement_timestamp() - make_interval(secs => ${seconds}::float8)`

/**
 * Whether a moment lies further ahead than any of its kind may: a clock that was ahead wrote it. What waits for such a moment
 * would sleep until the clock gets there.
 */
export const isTooFarAhead = (at: RawBuilder<unknown>, longestSeconds: number): RawBuilder<boolean> =>
  sql<boolean>`${at} > ${ago(-longestSeconds - SLACK_SECONDS)}`

/**
 * Whether a moment has come until which work, a lease or a pause waits, for so many seconds at the longest. Moments that
 * people were told, such as the end of a ban, are none of these.
 */
export const isDue = (at: RawBuilder<unknown>, longestSeconds: number): RawBuilder<boolean> =>
  sql<boolean>`(${at} <= ${ago(0)} OR ${isTooFarAhead(at, longestSeconds)})`

/** Whether something happened so many seconds ago or longer; what lies ahead happened nobody knows when. */
export const isPast = (at: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> =>
  sql<boolean>`(${at} <= ${ago(seconds)} OR ${isTooFarAhead(at, 0)})`

/** How long ago something happened; no number is as large for what lies ahead. */
export const secondsSince = (at: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`CASE WHEN ${isTooFarAhead(at, 0)} THEN 'Infinity'
    ELSE extract(epoch FROM statement_timestamp() - ${at})::float8 END`
