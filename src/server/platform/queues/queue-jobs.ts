import { hostname } from 'node:os'
import type { Db } from '../db/database.ts'
import { failingLoops, type Loop, startLoops } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { recordFailingLoops } from './failed-work.ts'

const PAUSE_MS = 15_000

/** Which loops of this process fail, for the alarm `failed-work`. */
export const startQueueJobs = ({ db, log }: { db: Db; log: Log }): Loop[] =>
  startLoops(log, [
    {
      name: 'failing loops',
      pauseMs: PAUSE_MS,
      round: () => recordFailingLoops(db, { process: `${hostname()}:${process.pid}`, failing: failingLoops }),
    },
  ])
