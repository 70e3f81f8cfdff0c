import webpush from 'web-push'
import { findNotices } from '#server/modules/notices/index.ts'
import type { Notice } from '#contract/notices.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { count } from '#server/domain/metrics.ts'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/queues/sending-pool.ts'
import { OutboundFailure, type PublicOutbound } from '#server/platform/http/outbound.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import { afterPush, payloadOf, unusableKey, USEFUL_SECONDS, type PushAnswer } from './push.rules.ts'
import {
  claimDueMessages,
  dueMessages,
  deleteMessage,
  forgetBrowser,
  postponeMessage,
  type ClaimedMessage,
} from './push.queries.ts'
import { readKeys } from './push.service.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'

export type PushDeps = PlatformDeps & {
  publicUrl: string
  pushOutbound: PublicOutbound
  /** Places where tests kill a worker; nothing else hands one in. */
  pushPausePoint?: (point: 'claimed' | 'sent') => Promise<void>
  /** Shorter in tests that wait for a lease to run out. */
  pushLeaseSeconds?: number
}

const TIMEOUT_MS = 10_000
const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: TIMEOUT_MS })
const JOB = 'push'

type Due = ClaimedMessage & { notice: Notice | undefined }

/** Leases due messages, each with its notice in words. */
export async function claimPushes(deps: PushDeps, limit: number): Promise<Due[]> {
  const leaseSeconds = deps.pushLeaseSeconds ?? LEASE_SECONDS
  const claim = (part: DuePart) => claimDueMessages(deps.db, part, leaseSeconds)
  const claimed = await claimEach(deps, { job: JOB, leaseSeconds, due: dueMessages, claim }, limit)
  const ids = claimed.flatMap(({ to, noticeId }) => (to === null ? [] : [noticeId]))
  const notices = await findNotices(deps.db, [...new Set(ids)])
  return claimed.map((message) => ({ ...message, notice: notices.get(message.noticeId) }))
}

/**
 * Sends one claimed message and records the outcome. Killed between the two, it is sent again when the lease has run out:
 * under the same topic and tag, so that the player is told once.
 */
export async function sendPush(deps: PushDeps, message: Due): Promise<void> {
  await deps.pushPausePoint?.('claimed')
  const { to, notice, subscriptionId, attempt, ageSeconds } = message
  if (to === null || notice === undefined || ageSeconds >= USEFUL_SECONDS)
    return deleteMessage(deps.db, message, { isSent: false })
  const answer = await callService(deps, { to, notice, ageSeconds })
  await deps.pushPausePoint?.('sent')
  const next = afterPush(answer, { attempt, ageSeconds, failures: to.failures })
  count('portal_pushes_total', { outcome: next.outcome })
  if (next.outcome === 'failed') await postponeMessage(deps.db, message, next.delaySeconds)
  else if (next.outcome === 'forgotten') await forgetBrowser(deps.db, { subscriptionId, to })
  else await deleteMessage(deps.db, message, { isSent: next.outcome === 'sent' })
  if (next.outcome === 'given-up')
    deps.log.warn(
      {
        event: 'push.given-up',
        noticeId: notice.id,
        subscriptionId,
        status: answer?.status ?? null,
        attempt,
      },
      'a push message was given up',
    )
}

type Sending = { to: NonNullable<ClaimedMessage['to']>; notice: Notice; ageSeconds: number }

/** Null where the service was not reached. */
async function callService(deps: PushDeps, { to, notice, ageSeconds }: Sending): Promise<PushAnswer> {
  const { endpoint, p256dh, auth } = to
  // Of an earlier release, or of a test: as if the browser were gone, since nothing will ever reach it.
  if (!deps.pushOutbound.mayCall(endpoint) || unusableKey(to) !== null) return { status: 410 }
  const { method, headers, body } = webpush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payloadOf(notice),
    {
      vapidDetails: { subject: subjectOf(deps.publicUrl), ...(await readKeys(deps)) },
      TTL: Math.floor(USEFUL_SECONDS - ageSeconds),
      // One that waits at the service gives way to a repeated one.
      topic: notice.id,
      urgency: 'high',
    },
  )
  try {
    return await deps.pushOutbound.send({
      url: endpoint,
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body ?? '',
      timeoutMs: TIMEOUT_MS,
    })
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return null
  }
}

/** Whom a push service may write to about our messages; a demo has no https address. */
const subjectOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:khong-tra-loi@${new URL(publicUrl).hostname}`

/** Sends notices to the browsers of their players as soon as they are written. */
export function startPushJobs(deps: PushDeps): Loop[] {
  const pool = startSendingPool(deps, {
    job: JOB,
    leaseSeconds: LEASE_SECONDS,
    channel: 'notice_changed',
    pollMs: 2_000,
    parallelMax: 32,
    claim: (room) => claimPushes(deps, room),
    send: (message) => sendPush(deps, message),
    idOf: ({ noticeId, subscriptionId }) => `${noticeId}:${subscriptionId}`,
  })
  return [pool]
}
