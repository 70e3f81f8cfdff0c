import type { Random } from '../../harness/numbers.ts'
import type { Report } from './scenario.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  sign,
  notificationOf,
  fieldsOf,
  type SignedNotification,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import { fetchAnswer } from '../../harness/client.ts'
import type { Model } from './model.ts'

/** One sending of one report. A stale one carries a signature of an hour ago. */
export type Sending = { report: Report; isStale: boolean }

/** Every copy of every report, shuffled; what concerns one order stays in one lane, one after the other. */
export function schedule(reports: readonly Report[], lanes: number, random: Random): Sending[][] {
  const all = reports.flatMap((report) =>
    Array.from({ length: report.copies }, (_, copy) => ({ report, isStale: copy < report.staleCopies })),
  )
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[all[at], all[other]] = [all[other] as Sending, all[at] as Sending]
  }
  truthFirst(all)
  const planned: Sending[][] = Array.from({ length: lanes }, () => [])
  for (const sending of all) {
    const { order, key } = sending.report.transfer
    planned[numberOf(order?.code ?? String(key)) % lanes]!.push(sending)
  }
  return planned
}

/** Where two providers report different amounts, the true one arrives first, because the first one counts. */
function truthFirst(all: Sending[]): void {
  const reporter = new Set<number>()
  const isTruth = ({ report, isStale }: Sending) => !isStale && report.amount === report.transfer.amount
  for (const [at, sending] of all.entries()) {
    const { transfer } = sending.report
    if (isTruth(sending)) reporter.add(transfer.key)
    else if (!sending.isStale && !reporter.has(transfer.key)) {
      const later = all.findIndex(
        (other, place) => place > at && other.report.transfer === transfer && isTruth(other),
      )
      if (later === -1) continue
      ;[all[at], all[later]] = [all[later] as Sending, sending]
      reporter.add(transfer.key)
    }
  }
}

function numberOf(text: string): number {
  let hash = 7
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) as number)) >>> 0
  return hash
}

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
        const expected = isStale ? 401 : report.provider === 'momo' ? 204 : 200
        if (status !== expected) {
          log.wrong.push(`${report.provider} ${report.eventId}: ${status}, not ${expected}`)
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
      return (await fetchAnswer(url, { path, headers, body }, 30_000)).status
    } catch (error) {
      if (attempt === TRIES_MAX) throw error
      await sleep(200)
    }
  }
}
