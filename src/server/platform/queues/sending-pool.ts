import type { Log } from '../log/log.ts'
import { tracedWork } from '../tracing/tracing.ts'
import type { Db } from '../db/database.ts'
import { startLoop, type Loop } from '../jobs/loop.ts'
import { waitAtMost } from '../values/clock.ts'
import { recordFailed } from './failed-work.ts'

type Queue<Claimed, Channel> = {
  name: string
  /** Announces new work; polling finds what it missed. */
  channel: Channel
  pollMs: number
  /** How many are sent at once by this process. */
  parallelMax: number
  /** Leases up to `room` of what is due. */
  claim(room: number): Promise<Claimed[]>
  /** Sends one and writes its outcome, outside any transaction. */
  send(claimed: Claimed): Promise<void>
  /** Where `send` fails nothing was written, so the lease runs out and the work is taken up again: until then the alarm counts it. */
  idOf(claimed: Claimed): string
  /** How long `stop` waits for what is being sent; without it, until all of it has ended. */
  drainMs?: number
}

/** What a listener of the database does for a pool. */
type Announcements<Channel> = {
  on(channel: Channel, listener: () => void): () => void
  onReconnect(listener: () => void): void
}

/** Sends what is due from a queue in the database, several at once. */
export function startSendingPool<Claimed, Channel extends string>(
  { db, log, listener }: { db: Db; log: Log; listener: Announcements<Channel> },
  { name, channel, pollMs, parallelMax, claim, send, idOf, drainMs }: Queue<Claimed, Channel>,
): Loop {
  const sending = new Set<Promise<void>>()
  const noteFailure = async (error: unknown, subject: string) => {
    log.error({ err: error, job: name, subject }, 'what was due failed, and is tried again later')
    try {
      await recordFailed(db, { job: name, subject, error })
    } catch {
      // The database is away, for which there are other alarms.
    }
  }
  const loop = startLoop({
    name,
    pauseMs: pollMs,
    log,
    async round() {
      const room = parallelMax - sending.size
      if (room === 0) return false
      const batch = await claim(room)
      for (const claimed of batch) {
        const work = tracedWork(`send ${name}`, () => send(claimed))
          .catch((error: unknown) => noteFailure(error, idOf(claimed)))
          .finally(() => {
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
    wake: () => loop.wake(),
    async stop() {
      stopListening()
      await loop.stop()
      const sent = Promise.all(sending)
      await (drainMs === undefined ? sent : waitAtMost(drainMs, sent))
    },
  }
}
