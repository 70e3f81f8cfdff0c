import { formatNumber } from '#contract/format.ts'
import { findUnnotified } from '#server/modules/reconciliation/index.ts'
import type { PortalDeps } from '../app/deps.ts'
import { momentIn, printGameComparison, readOptions } from './game.ts'
import { linesOf, lostFromLog } from './own-log.ts'
import { printGameRecord, printReconciliation, printTrailCheck } from './reports.ts'
import { UsageError } from './with-portal.ts'

type Print = (line: string) => void
type Given = { appUrl: string; rest: readonly string[] }

/** What one comparison said: what is missing, or why it could not be made. */
type Part = { name: string; run(print: Print): Promise<number> } | { name: string; without: string }

/**
 * Every comparison that can show what a failover lost, one after the other: the books alone are whole after a loss. Prints
 * what is missing, and one line about all; answers the exit code.
 */
export async function printAfterFailover(deps: PortalDeps, given: Given, print: Print): Promise<number> {
  const { since: text, log, record } = readOptions(given.rest, ['since', 'log', 'record'])
  const from = momentIn(text)
  if (from === null) throw new UsageError()
  const parts = partsOf(deps, given.appUrl, { from, log, record })
  const faulty: string[] = []
  const left: string[] = []
  for (const part of parts) {
    if ('without' in part) {
      left.push(`${part.name} (${part.without})`)
      continue
    }
    print(`— ${part.name}`)
    if ((await part.run(print)) !== 0) faulty.push(part.name)
  }
  const notCompared = left.length === 0 ? '' : `; not compared: ${left.join(', ')}`
  print(
    faulty.length === 0
      ? `after-failover: nothing is missing${notCompared}`
      : `after-failover: see above what is missing: ${faulty.join(', ')}${notCompared}`,
  )
  return faulty.length === 0 ? 0 : 1
}

type Sources = { from: string; log: string | undefined; record: string | undefined }

function partsOf(deps: PortalDeps, appUrl: string, { from, log, record }: Sources): Part[] {
  const since = new Date(from)
  return [
    { name: 'books', run: (print) => printReconciliation(deps, appUrl, print) },
    { name: 'audit trail', run: (print) => printTrailCheck(deps, print) },
    deps.payments.lists.length === 0
      ? { name: 'providers’ lists', without: 'none is configured' }
      : { name: 'providers’ lists', run: (print) => printUnnotified(deps, since, print) },
    { name: 'game', run: (print) => printGameComparison(deps, ['--since', from], print) },
    record === undefined
      ? { name: 'the game’s record', without: '--record <file>' }
      : { name: 'the game’s record', run: (print) => printGameRecord(deps, record, print) },
    log === undefined
      ? { name: 'the portal’s log', without: '--log <file>' }
      : { name: 'the portal’s log', run: (print) => printLost(deps, { log, since }, print) },
  ]
}

/** Transfers that only the providers' lists reported since then; they are credited now, or wait in the inbox. */
async function printUnnotified(deps: PortalDeps, since: Date, print: Print): Promise<number> {
  const { found, failed } = await findUnnotified(deps, since)
  for (const { provider, eventId, ref, account, amount, bookedAt, status } of found)
    print(
      [
        provider,
        eventId,
        ref ?? 'no reference',
        account,
        bookedAt.toISOString(),
        `${formatNumber(Number(amount))} VND`,
        status,
      ].join('  '),
    )
  print(`${found.length} transfers were known to the lists alone, ${failed} lists could not be read`)
  return found.length + failed === 0 ? 0 : 1
}

/** What the portal logged after its commit and the database does not have. */
async function printLost(
  { db }: PortalDeps,
  { log, since }: { log: string; since: Date },
  print: Print,
): Promise<number> {
  const acts = lostFromLog(db, linesOf(log, 'the portal’s own log lines'), since)
  let lost = 0
  for (;;) {
    const { done, value } = await acts.next()
    if (done) {
      print(`${lost} of ${value} movements and registrations in the log are not in the database`)
      // A log without a line proves nothing.
      return lost === 0 && value > 0 ? 0 : 1
    }
    lost++
    print(`${value.at}  ${value.line}`)
  }
}
