import type { Random } from '../../harness/random.ts'
import type { Report } from './scenario.ts'

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
