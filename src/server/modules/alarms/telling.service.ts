import { ALARM_NAMES, type Alarm } from '#contract/operator/alarms.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import { signTimed } from '#server/platform/values/crypto.ts'
import type { AlarmsDeps } from './alarms.service.ts'
import { ALARMS, secondsUntilNext, whatToSay } from './alarms.rules.ts'
import {
  claimMessages,
  dropMessage,
  keepTold,
  postponeMessage,
  takeTurnToTell,
  type DueMessage,
  type Notice,
} from './telling.queries.ts'

/** Where alarms are told, and the secret that signs what is said. */
export type AlarmWebhook = {
  url: string
  secret: string
  /** Shorter in tests of a receiver that hangs. */
  timeoutMs?: number
}

export type TellingDeps = AlarmsDeps & { publicUrl: string }

const TIMEOUT_MS = 10_000
/** Longer than one round of sending may take: each of the alarms one after the other. */
const LEASE_SECONDS = 300

/** Compares what is the matter now with what was told, and leaves a message about each difference. */
export async function noticeAlarms(
  deps: TellingDeps,
  alarms: readonly Alarm[],
  { everySeconds }: { everySeconds: number },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const notices = await takeTurnToTell(tx, { names: ALARM_NAMES, everySeconds })
    for (const notice of notices ?? [])
      await tellOf(deps, tx, { notice, alarm: alarms.find(({ name }) => name === notice.name) })
  })
}

async function tellOf(
  { clock, publicUrl }: TellingDeps,
  tx: Tx,
  { notice: { name, told }, alarm }: { notice: Notice; alarm: Alarm | undefined },
): Promise<void> {
  const now = clock.now()
  const count = alarm?.late ?? 0
  const event = whatToSay(told, count, now)
  if (event === null) return
  const beganAt = told?.beganAt ?? now
  const message = {
    event,
    alarm: name,
    count,
    began_at: beganAt.toISOString(),
    oldest: alarm?.oldest ?? null,
    at: now.toISOString(),
    runbook: `docs/runbooks/${ALARMS[name as Alarm['name']].runbook}`,
    portal: publicUrl,
  }
  await keepTold(tx, name, { told: event === 'ends' ? null : { beganAt, count, toldAt: now }, message })
}

/** Sends what waits. What is not taken is sent again later under the same id. */
export async function sendMessages(deps: TellingDeps, webhook: AlarmWebhook): Promise<void> {
  const send = sender(deps, webhook)
  for (const due of await claimMessages(deps.db, LEASE_SECONDS)) {
    const fault = await send(due)
    if (fault === null) {
      await dropMessage(deps.db, due)
      continue
    }
    const seconds = secondsUntilNext(due.attempt)
    const facts = { alarm: due.name, messageId: due.id, attempt: due.attempt, fault }
    if (seconds === null) {
      await dropMessage(deps.db, due)
      deps.log.error(
        { event: 'alarm.given-up', ...facts },
        'the webhook of the alarms did not take a message',
      )
    } else {
      await postponeMessage(deps.db, due, seconds)
      deps.log.warn(
        { event: 'alarm.not-told', ...facts, retrySeconds: seconds },
        'the webhook of the alarms does not take a message yet',
      )
    }
  }
}

/** Answers why a message was not taken; null when it was. */
function sender({ clock }: TellingDeps, { url, secret, timeoutMs = TIMEOUT_MS }: AlarmWebhook) {
  const call = openOutbound([new URL(url).origin])
  return async ({ id, message }: DueMessage): Promise<string | null> => {
    const body = JSON.stringify({ id, ...message })
    const timestamp = String(Math.floor(clock.now().getTime() / 1_000))
    const signature = signTimed({ secret, prefix: 'sha256=', timestamp, raw: Buffer.from(body) })
    try {
      const { status } = await call({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-portal-timestamp': timestamp,
          'x-portal-signature': signature,
        },
        body,
        timeoutMs,
      })
      return status >= 200 && status < 300 ? null : `HTTP ${status}`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
