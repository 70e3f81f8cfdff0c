import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import { isRestingIn } from './due-rows.ts'
import { recordFailed } from './failed-work.ts'

/** Which of the due rows a statement takes: at most `limit`, of those whose id `isWanted`. */
export type DuePart = { limit: number; isWanted(id: RawBuilder<unknown>): RawBuilder<boolean> }

type Claims<Claimed> = {
  /** As the loop is called that works them off. */
  job: string
  leaseSeconds: number
  /** Selects a part of what is due; its column `id` is what `isWanted` was asked about. */
  due(part: DuePart): RawBuilder<{ id: string }>
  /** Leases the same rows, in one statement. */
  claim(part: DuePart): Promise<Claimed[]>
}

/**
 * Leases what is due and has not failed lately: together, or where that fails one after the other, so that a row that cannot
 * be leased leaves the others; it is recorded and rests.
 */
export async function claimEach<Claimed>(
  { db, log }: { db: Db; log: Log },
  { job, leaseSeconds, due, claim }: Claims<Claimed>,
  limit: number,
): Promise<Claimed[]> {
  const isResting = isRestingIn({ job, leaseSeconds })
  const part: DuePart = { limit, isWanted: (id) => sql<boolean>`NOT ${isResting(id)}` }
  try {
    return await claim(part)
  } catch (error) {
    log.warn({ err: error, job }, 'what was due could not be leased together, and is leased one by one')
  }
  const claimed: Claimed[] = []
  const { rows } = await due(part).execute(db)
  for (const { id } of rows) {
    if (claimed.length >= limit) break
    const subject = String(id)
    try {
      const isIt = (one: RawBuilder<unknown>) => sql<boolean>`(${one})::text = ${subject}`
      claimed.push(...(await claim({ limit: 1, isWanted: isIt })))
    } catch (error) {
      log.error({ err: error, job, subject }, 'what was due could not be leased, and is tried again later')
      await recordFailed(db, { job, subject, error })
    }
  }
  return claimed
}
