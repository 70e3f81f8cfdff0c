import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import { claimMail, sendClaimedMail, type MailDeps } from './sending.service.ts'

/** Letters under way at once in this process. */
const PARALLEL_MAX = 4
/** Letters are announced as they are queued; this is for those whose announcement was missed, and for retries. */
const POLL_MS = 2_000

/** Sends all mail that is due. */
export function startMailJobs(deps: MailDeps): Loop[] {
  const sending = new Set<Promise<void>>()

  const send = async (claimed: Parameters<typeof sendClaimedMail>[1]) => {
    try {
      await sendClaimedMail(deps, claimed)
    } catch (error) {
      // Nothing was written, so the lease runs out and the letter is taken up again.
      deps.log.error(
        { err: error, mailId: claimed.id, kind: claimed.kind },
        'a letter could not be seen through',
      )
    }
  }

  const loop = startLoop({
    name: 'mail',
    pauseMs: POLL_MS,
    log: deps.log,
    async round() {
      const room = PARALLEL_MAX - sending.size
      if (room === 0) return false
      const batch = await claimMail(deps, room)
      for (const claimed of batch) {
        const work = send(claimed).finally(() => {
          sending.delete(work)
          loop.wake()
        })
        sending.add(work)
      }
      return batch.length > 0
    },
  })

  const stopListening = deps.listener.on('mail_due', () => loop.wake())
  deps.listener.onReconnect(() => loop.wake())
  return [
    {
      wake: () => loop.wake(),
      async stop() {
        stopListening()
        await loop.stop()
        // What takes longer than the process waits for is left to its lease.
        await Promise.all(sending)
      },
    },
  ]
}
