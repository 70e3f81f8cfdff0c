import type { Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/jobs/sending-pool.ts'
import { claimMail, sendClaimedMail, type MailDeps } from './sending.service.ts'

/** Sends all mail that is due. */
export function startMailJobs(deps: MailDeps): Loop[] {
  const pool = startSendingPool(deps, {
    name: 'mail',
    channel: 'mail_due',
    pollMs: 2_000,
    parallelMax: 4,
    claim: (room) => claimMail(deps, room),
    send: (claimed) => sendClaimedMail(deps, claimed),
    logFailure: (error, { id, kind }) =>
      deps.log.error({ err: error, mailId: id, kind }, 'a mail could not be processed'),
  })
  return [pool]
}
