import type { QueryResult } from 'kysely'

/** How many rows a cleaning job deletes in one statement. */
export const BATCH_ROWS = 1_000

/** Whether a statement changed as many rows as it may: there may be more of them. */
export const isFullBatch = ({ numAffectedRows }: QueryResult<unknown>): boolean =>
  Number(numAffectedRows) === BATCH_ROWS
