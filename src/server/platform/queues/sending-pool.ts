import type { Log } from '../log/log.ts'
import { tracedWork } from '../tracing/tracing.ts'
import type { Db } from '../db/database.ts'
import { startLoop, type Loop } from '../jobs/loop.ts'
import { waitAtMost } from '../values/clock.ts'
import { tryLeased } from './failed-work.ts'

type Queue<Claimed, Channel> = {
  job: string
  /** Announces new work; polling finds what it missed. */
  channel: Channel
  pollMs: number
  /** How many are sent at once by this process. */
  parallelMax: number
  leaseSeconds: number
  /** Leases up to `room` of what is due: by `claimEach`. */
  claim(room: number): Promise<Claimed[]>
  /** Sends one and writes its outcome, outside any transaction. Where it fails the lease runs out, and the work is taken up again. */
  send(claimed: Claimed): Promise<void>
  idOf(claimed: Claimed): string
  /** How long `stop` waits for what is being sent; without it, until all of it has ended. */
  drainMs?: number
}

/** What a listener of the database does for a pool. */
type Announcements<Channel> = {
  on(channel: Channel, listener: () => void): () => void
  onReconnect(listener: () => void): void
}

/** Sends what is due from a queue in the database, several at once. What fails is recorded for the alarm `failed-work`. */
export function startSendingPool<Claimed, Channel extends string>(
  { db, log, listener }: { db: Db; log: Log; listener: Announcements<Channel> },
  { job, leaseSeconds, channel, pollMs, parallelMax, claim, send, idOf, drainMs }: Queue<Claimed, Channel>,
): Loop {
  const sending = new Set<Promise<void>>()
  const sendOne = async (claimed: Claimed) => {
    const subject = idOf(claimed)
    try {
      await tryLeased({ db, log }, { job, subject, leaseSeconds }, () => send(claimed))
    } catch (error) {
      log.warn({ err: error, job, subject }, 'how what was due went could not be recorded')
    }
  }
  const loop = startLoop({
    name: job,
    pauseMs: pollMs,
    log,
    async round() {
      const room = parallelMax - sending.size
      if (room === 0) return false
      const batch = await claim(room)
      for (const claimed of batch) {
        const work = tracedWork(`send ${job}`, () => sendOne(claimed)).finally(() => {
          sending.delete(work)
          // There is room again, and work that had to come after this one may now be due.
          loop.wake()
        })
        sending.add(work)
      }
      return batch.length > 0
    },
  })
  const stopListening = listener.on(channel, () => loop.wake())
  listener.onReconnect(() => loop.wake())
  return {
    name: job,
    wake: () => loop.wake(),
    async stop() {
      stopListening()
      await loop.stop()
      const sent = Promise.all(sending)
      await (drainMs === undefined ? sent : waitAtMost(drainMs, sent))
    },
  }
}
