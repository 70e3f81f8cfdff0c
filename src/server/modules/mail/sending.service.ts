import { ageNotice } from '#contract/constants.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import { startSendingPool } from '#server/platform/queues/sending-pool.ts'
import { count } from '#server/domain/metrics.ts'
import { type Mail, writeMail } from './mail-layout.ts'
import { afterFault, isTooLate, type MailFault } from './mail.rules.ts'
import { MailFailure, SEND_MS_MAX, type ComposedMail, type Mailer } from './mail.client.ts'
import {
  claimDueMail,
  dueMail,
  deleteClaimedMail,
  postponeClaimedMail,
  SEAL_PURPOSE,
  type ClaimedMail,
} from './mail.queries.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'

export type MailSender = { name: string | null; address: string }

export type MailDeps = PlatformDeps & {
  mailer: Mailer
  publicUrl: string
  /** Null: the site's own name, at the public address's host. */
  mailFrom: MailSender | null
  /** Places where tests stop or kill a worker; nothing else hands one in. */
  mailPausePoint?: (point: 'claimed' | 'sent') => Promise<void>
  /** Shorter in tests that wait for a lease to run out. */
  mailLeaseSeconds?: number
}

const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: SEND_MS_MAX })

const JOB = 'mail'

export function claimMail(deps: MailDeps, limit: number): Promise<ClaimedMail[]> {
  const leaseSeconds = deps.mailLeaseSeconds ?? LEASE_SECONDS
  const claim = (part: DuePart) => claimDueMail(deps.db, part, leaseSeconds)
  return claimEach(deps, { job: JOB, leaseSeconds, due: (part) => dueMail(part, leaseSeconds), claim }, limit)
}

/**
 * Sends one claimed mail, outside any transaction, and deletes it from the outbox. Killed between the two, the mail is
 * sent a second time when the lease has run out, under the same Message-ID: rather twice than never.
 */
export async function sendClaimedMail(deps: MailDeps, claimed: ClaimedMail): Promise<void> {
  await deps.mailPausePoint?.('claimed')
  const { ageSeconds } = claimed
  // Before it is decrypted: a mail that cannot be decrypted must not be retried for ever.
  if (isTooLate({ ageSeconds, usefulMinutes: null })) return giveUp(deps, claimed, 'a day old')
  const mail = JSON.parse(await deps.vault.open(SEAL_PURPOSE, claimed.sealed)) as Mail
  const tried = { attempt: claimed.attempt, ageSeconds, usefulMinutes: mail.usefulMinutes ?? null }
  if (isTooLate(tried)) return giveUp(deps, claimed, 'of no use any more')
  const fault = await attempt(deps, claimed, mail)
  await deps.mailPausePoint?.('sent')
  if (fault === null) return finish(deps, claimed)
  const next = afterFault(fault, tried, Math.random())
  if (next.outcome === 'give-up') return giveUp(deps, claimed, fault.note)
  const { delaySeconds } = next
  await postponeClaimedMail(deps.db, claimed, { delaySeconds, note: fault.note })
  count('portal_mails_total', { outcome: 'failed' })
  deps.log.warn(
    {
      event: 'mail.failed',
      ...factsOf(claimed),
      note: fault.note,
      retrySeconds: Math.round(delaySeconds),
    },
    'a mail could not be sent yet',
  )
}

/** Null when the mail was accepted. */
async function attempt(deps: MailDeps, claimed: ClaimedMail, mail: Mail): Promise<MailFault | null> {
  const composed = await compose(deps, claimed, mail)
  try {
    await deps.mailer.send(composed)
    return null
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return error.fault
  }
}

async function compose(deps: MailDeps, claimed: ClaimedMail, mail: Mail): Promise<ComposedMail> {
  const { siteName, ageClass, sellerLines } = await readSettings(deps.db)
  const notices = [ageNotice(ageClass), ...sellerLines]
  const from = {
    name: deps.mailFrom?.name ?? siteName,
    address: deps.mailFrom?.address ?? `khong-tra-loi@${new URL(deps.publicUrl).hostname}`,
  }
  const mark = await deps.vault.hash('message id', claimed.id)
  return {
    id: claimed.id,
    kind: claimed.kind,
    messageId: `<${mark.toString('hex')}@${from.address.replace(/^.*@/, '')}>`,
    date: claimed.createdAt,
    from,
    to: mail.to,
    ...writeMail(mail, { name: siteName, url: deps.publicUrl, notices }),
  }
}

async function finish({ db, log }: MailDeps, claimed: ClaimedMail): Promise<void> {
  await deleteClaimedMail(db, claimed)
  count('portal_mails_total', { outcome: 'sent' })
  log.info({ event: 'mail.sent', ...factsOf(claimed) }, 'a mail was sent')
}

async function giveUp({ db, log }: MailDeps, claimed: ClaimedMail, note: string): Promise<void> {
  await deleteClaimedMail(db, claimed)
  count('portal_mails_total', { outcome: 'given-up' })
  log.error({ event: 'mail.given-up', ...factsOf(claimed), note }, 'a mail was given up')
}

/** Number and kind only: recipient and content are never logged. */
const factsOf = ({ id, kind, attempt, ageSeconds }: ClaimedMail) => ({
  mailId: id,
  kind,
  attempt,
  ageSeconds: Math.round(ageSeconds),
})

/** Sends all mail that is due. */
export function startMailJobs(deps: MailDeps): Loop[] {
  const pool = startSendingPool(deps, {
    job: JOB,
    leaseSeconds: LEASE_SECONDS,
    channel: 'mail_due',
    pollMs: 2_000,
    parallelMax: 4,
    claim: (room) => claimMail(deps, room),
    send: (claimed) => sendClaimedMail(deps, claimed),
    idOf: ({ id }) => id,
  })
  return [pool]
}
