import { setTimeout as sleep } from 'node:timers/promises'
import {
  sign,
  notificationOf,
  fieldsOf,
  type SignedNotification,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import { fetchAnswer } from '../../harness/client.ts'
import type { Random } from '../../harness/numbers.ts'
import type { Model } from './model.ts'
import type { Report, Transfer } from './scenario.ts'

/** One sending of one report. A stale one carries a signature of an hour ago. */
export type Sending = { report: Report; isStale: boolean }

const LATEST = 2 ** 31

/** Every copy of every report, shuffled; what concerns one order stays in one lane, one after the other. */
export function schedule(reports: readonly Report[], lanes: number, random: Random): Sending[][] {
  const truths = new Map<Transfer, number>()
  const placed = reports.flatMap((report) => {
    const places = Array.from({ length: report.copies }, () => random.below(LATEST))
    const { transfer, amount } = report
    // Where two providers report different amounts, the true one arrives first, because the first one counts.
    const soonest = amount === transfer.amount ? 0 : (truths.get(transfer) ?? 0)
    if (!truths.has(transfer)) truths.set(transfer, Math.min(...places))
    return places.map((place, copy) => ({
      report,
      isStale: copy < report.staleCopies,
      place: Math.max(place, soonest + 1),
    }))
  })
  const planned: Sending[][] = Array.from({ length: lanes }, () => [])
  for (const sending of placed.toSorted((one, other) => one.place - other.place)) {
    const { order, key } = sending.report.transfer
    planned[(order?.createdAt.getTime() ?? key) % lanes]?.push(sending)
  }
  return planned
}

const HOUR_MS = 3_600_000
const FAILED_AT_MOMO = 1006

/**
 * Sends what was planned, lane beside lane, and passes the model each report's first fresh copy in the order in
 * which the portal answered. All of it is spread over so many seconds.
 */
export async function sendAll(
  url: string,
  lanes: Sending[][],
  { model, seconds }: { model: Model; seconds: number },
) {
  const began = performance.now()
  /** Answers other than the provider's success, or other than 401 to a stale signature. */
  const wrong: string[] = []
  let sent = 0
  const arrived = new Set<Report>()
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [at, sending] of lane.entries()) {
        const due = began + (seconds * 1_000 * at) / lane.length
        await sleep(Math.max(0, due - performance.now()))
        const { report, isStale } = sending
        const status = await send(url, requestOf(sending))
        sent++
        const expected = isStale ? 401 : report.provider === 'momo' ? 204 : 200
        if (status !== expected)
          wrong.push(`${report.provider} ${report.eventId}: ${status}, not ${expected}`)
        if (isStale || arrived.has(report)) continue
        arrived.add(report)
        model.arrive(report)
      }
    }),
  )
  return { sent, wrong }
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
export const wordedFor = ({ transfer, eventId, amount }: Report): TestTransfer => ({
  ...transfer,
  id: eventId,
  amount,
})

const TRIES_MAX = 5

/** A provider retries without an answer. */
async function send(url: string, notification: SignedNotification): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { url: path, headers, body } = notification
      return (await fetchAnswer(url, { path, headers, body }, 30_000)).status
    } catch (error) {
      if (attempt === TRIES_MAX) throw error
      await sleep(200)
    }
  }
}
