import { setTimeout as sleep } from 'node:timers/promises'
import {
  sign,
  notificationOf,
  fieldsOf,
  type SignedNotification,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import { ask } from '../../harness/client.ts'
import type { Model } from './model.ts'
import type { Report } from './scenario.ts'
import type { Sending } from './schedule.ts'

const HOUR_MS = 3_600_000
const FAILED_AT_MOMO = 1006

/** What the providers saw on their side of the wire. */
export type SentLog = {
  sent: number
  /** Unexpected answers: other than the provider's success, or other than 401 to a stale signature. */
  wrong: string[]
}

/**
 * Sends what was planned, lane beside lane, and passes the model each report's first fresh copy in the order in
 * which the portal answered. All of it is spread over so many seconds.
 */
export async function sendAll(
  url: string,
  lanes: Sending[][],
  { model, seconds }: { model: Model; seconds: number },
): Promise<SentLog> {
  const began = performance.now()
  const log: SentLog = { sent: 0, wrong: [] }
  const arrived = new Set<Report>()
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [at, sending] of lane.entries()) {
        const due = began + (seconds * 1_000 * at) / lane.length
        await sleep(Math.max(0, due - performance.now()))
        const { report, isStale } = sending
        const status = await send(url, requestOf(sending))
        log.sent++
        const wanted = isStale ? 401 : report.provider === 'momo' ? 204 : 200
        if (status !== wanted) {
          log.wrong.push(`${report.provider} ${report.eventId}: ${status}, not ${wanted}`)
        }
        if (isStale || arrived.has(report)) continue
        arrived.add(report)
        model.arrive(report)
      }
    }),
  )
  return log
}

/** Each copy is signed at the moment it is sent, as providers sign what they send again. */
function requestOf({ report, isStale }: Sending): SignedNotification {
  const { provider } = report
  const at = new Date(Date.now() - (isStale ? HOUR_MS : 0))
  const transfer = wordedFor(report)
  if (report.transfer.isNoMoney !== 'failed') return notificationOf({ provider, transfer, at })
  return sign({ provider, at, fields: { ...fieldsOf(provider, transfer), resultCode: FAILED_AT_MOMO } })
}

/** The transfer as one provider reports it, with that provider's id and amount. */
export function wordedFor({ transfer, eventId, amount }: Report): TestTransfer {
  const { account, memo, ref, bookedAt, direction } = transfer
  return { id: eventId, amount, account, memo, ref, bookedAt, direction }
}

const TRIES_MAX = 5

/** A provider retries without an answer. */
async function send(url: string, notification: SignedNotification): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { url: path, headers, body } = notification
      return (await ask(url, { path, headers, body }, 30_000)).status
    } catch (error) {
      if (attempt === TRIES_MAX) throw error
      await sleep(200)
    }
  }
}
