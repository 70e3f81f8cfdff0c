import { hostname } from 'node:os'
import type { Db } from '../db/database.ts'
import { failingLoops, type Loop, startLoops, wakeLoops } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { readFailures, recordFailingLoops } from './failed-work.ts'

const PAUSE_MS = 5_000

/**
 * Which loops of this process fail, for the alarm `failed-work`; and work that failed is tried again when its time comes,
 * also by a loop that comes round once an hour.
 */
export const startQueueJobs = ({ db, log }: { db: Db; log: Log }): Loop[] =>
  startLoops(log, [
    {
      name: 'failing loops',
      pauseMs: PAUSE_MS,
      async round() {
        await recordFailingLoops(db, { process: `${hostname()}:${process.pid}`, failing: failingLoops })
        wakeLoops(await readFailures(db))
      },
    },
  ])
