import { sql } from 'kysely'
import { startLoop, type Loop } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { setGauge } from '../metrics/metrics.ts'
import type { Db } from './database.ts'
import { sqlState } from './transaction.ts'

/**
 * In one transaction: makes PostgreSQL write a temporary file of a megabyte to the disk of the database, since so many
 * rows do not fit into the memory that is allowed. It changes nothing, needs no right, and fails with DISK_FULL.
 */
export const DISK_PROBE = [
  `SET LOCAL work_mem = '64kB'`,
  `SET LOCAL temp_tablespaces = ''`,
  'SELECT count(*) FROM generate_series(1, 40000)',
] as const

export const DISK_FULL = '53100'
const LOOK_EVERY_MS = 5_000

const full = new WeakSet<Db>()

/** Whether PostgreSQL had no room left when this process last looked: every change is refused then. */
export const isDiskFull = (db: Db): boolean => full.has(db)

/** Checks at intervals, however often `/readyz` is requested. */
export function watchDisk(db: Db, log: Log): Loop {
  setGauge('portal_database_disk_full', {}, 0)
  return startLoop({
    name: 'disk',
    pauseMs: LOOK_EVERY_MS,
    log,
    async round() {
      const isNow = await isProbeRefused(db)
      if (isNow === null || isNow === isDiskFull(db)) return
      setGauge('portal_database_disk_full', {}, isNow ? 1 : 0)
      if (isNow) {
        full.add(db)
        log.error('no space is left on the disk of PostgreSQL: every change is refused')
      } else {
        full.delete(db)
        log.info('PostgreSQL has room on its disk again')
      }
    },
  })
}

/** Null when PostgreSQL does not answer, which tells nothing of its disk. */
async function isProbeRefused(db: Db): Promise<boolean | null> {
  try {
    await db.transaction().execute(async (tx) => {
      for (const statement of DISK_PROBE) await sql.raw(statement).execute(tx)
    })
    return false
  } catch (error) {
    return sqlState(error) === DISK_FULL ? true : null
  }
}
