import { ALARM_NAMES, type Alarm } from '#contract/operator/alarms.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import { signTimed } from '#server/platform/values/crypto.ts'
import { ALARMS, secondsUntilNext, messageToSend } from './alarms.rules.ts'
import { type AlarmsDeps, watchAlarms } from './alarms.service.ts'
import {
  claimMessage,
  dropMessage,
  storeNotice,
  postponeMessage,
  listDueMessages,
  listUnnoticed,
  lockNotice,
  type DueMessage,
  type Notice,
} from './alarms.queries.ts'
import { messageOf } from '#server/platform/values/errors.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

/** Where alarms are sent, and the secret that signs the messages. */
export type AlarmWebhook = {
  url: string
  secret: string
  /** Shorter in tests of a receiver that hangs. */
  timeoutMs?: number
}

type AlarmWebhookDeps = AlarmsDeps & { publicUrl: string }

const TIMEOUT_MS = 10_000
const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: TIMEOUT_MS })

/** Compares the alarms of now with the messages sent before, and stores a message for each difference. */
export async function noticeAlarms(
  deps: AlarmWebhookDeps,
  alarms: readonly Alarm[],
  { everySeconds }: { everySeconds: number },
): Promise<void> {
  await workOff(deps, {
    job: 'alarms',
    limit: ALARM_NAMES.length + 1,
    list: (db, isResting) => listUnnoticed(db, isResting, { names: ALARM_NAMES, everySeconds }),
    work: (name) =>
      inTransaction(deps.db, async (tx) => {
        const notice = await lockNotice(tx, name, everySeconds)
        if (notice === undefined) return false
        await storeMessageOf(deps, tx, { notice, alarm: alarms.find((alarm) => alarm.name === name) })
        return true
      }),
  })
}

async function storeMessageOf(
  { clock, publicUrl }: AlarmWebhookDeps,
  tx: Tx,
  { notice: { name, last }, alarm }: { notice: Notice; alarm: Alarm | undefined },
): Promise<void> {
  const now = clock.now()
  const count = alarm?.late ?? 0
  const event = messageToSend(last, count, now)
  if (event === null) return
  const beganAt = last?.beganAt ?? now
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
  await storeNotice(tx, name, { last: event === 'ends' ? null : { beganAt, count, sentAt: now }, message })
}

/** Sends the messages that are due. A message that is not accepted is sent again later under the same id. */
export async function sendMessages(deps: AlarmWebhookDeps, webhook: AlarmWebhook): Promise<void> {
  const send = sender(deps, webhook)
  await workOff(deps, {
    job: 'messages of alarms',
    limit: ALARM_NAMES.length,
    leaseSeconds: LEASE_SECONDS,
    list: (db, isResting) =>
      listDueMessages(db, isResting, { limit: ALARM_NAMES.length, leaseSeconds: LEASE_SECONDS }),
    async work(name) {
      const due = await claimMessage(deps.db, name, LEASE_SECONDS)
      if (due === undefined) return false
      await noteSent(deps, due, await send(due))
      return true
    },
  })
}

async function noteSent({ db, log }: AlarmWebhookDeps, due: DueMessage, fault: string | null): Promise<void> {
  if (fault === null) return dropMessage(db, due)
  const seconds = secondsUntilNext(due.attempt)
  const facts = { alarm: due.name, messageId: due.id, attempt: due.attempt, fault }
  if (seconds === null) {
    await dropMessage(db, due)
    log.error({ event: 'alarm.given-up', ...facts }, 'the webhook of the alarms did not take a message')
  } else {
    await postponeMessage(db, due, seconds)
    log.warn(
      { event: 'alarm.not-sent', ...facts, retrySeconds: seconds },
      'the webhook of the alarms does not take a message yet',
    )
  }
}

/** Answers why a message was not taken; null when it was. */
function sender({ clock }: AlarmWebhookDeps, { url, secret, timeoutMs = TIMEOUT_MS }: AlarmWebhook) {
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
      return messageOf(error)
    }
  }
}

const COMPARE_MS = 60_000
const SEND_MS = 2_000
/** Less than the pause between two rounds: of several workers the first sends for all. */
const COMPARE_EVERY_SECONDS = 45

/** Updates the metrics of the alarms and sends changes to the webhook. */
export function startAlarmJobs(deps: AlarmWebhookDeps & { alarmWebhook: AlarmWebhook | null }): Loop[] {
  const { alarmWebhook, log } = deps
  const compare = async () => {
    const alarms = await watchAlarms(deps)
    if (alarmWebhook !== null) await noticeAlarms(deps, alarms, { everySeconds: COMPARE_EVERY_SECONDS })
  }
  const comparing = { name: 'alarms', pauseMs: COMPARE_MS, round: compare }
  if (alarmWebhook === null) return startLoops(log, [comparing])
  const round = () => sendMessages(deps, alarmWebhook)
  return startLoops(log, [comparing, { name: 'messages of alarms', pauseMs: SEND_MS, round }])
}
