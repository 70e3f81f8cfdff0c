import { formatNumber } from '#contract/format.ts'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { differencesWithGame, type RecordDifference } from '#server/modules/purchases/index.ts'
import {
  closeDay,
  dayOf,
  lookAtDay,
  meaningOf,
  pullLists,
  reconcileAndStore,
  reconcileDay,
  type DayClose,
  type ReconciliationDeps,
} from '#server/modules/reconciliation/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import type { PortalDeps } from '../app/deps.ts'
import { linesOf } from './log-lines.ts'

type Print = (line: string) => void

const REPORT_TIMEOUT_MS = 600_000

/** R1–R16, a row each, stored for the console; returns the exit code. */
export async function printReconciliation(
  { log }: Pick<PortalDeps, 'log'>,
  appUrl: string,
  print: Print,
): Promise<number> {
  const db = openDatabase({ url: appUrl, log, connectionsMax: 1, statementTimeoutMs: REPORT_TIMEOUT_MS })
  try {
    const rows = await reconcileAndStore(db)
    for (const row of rows) print(`${row.check.padEnd(4)}${String(row.count).padStart(8)}  ${row.meaning}`)
    return rows.every((row) => row.count === 0) ? 0 : 1
  } finally {
    await db.destroy()
  }
}

/** The chains of the audit trail, with the first place that does not fit; answers the exit code. */
export async function printTrailCheck({ db }: Pick<PortalDeps, 'db'>, print: Print): Promise<number> {
  const { first } = await verifyAndStore(db)
  const place = first?.fault === 'seal' ? 'seal' : 'row'
  print(
    first
      ? `the audit trail is broken at ${place} ${first.seq} (${first.fault})`
      : 'the audit trail is whole',
  )
  return first ? 1 : 0
}

/** A row for each delivery that the game applied and the portal does not count as delivered or open; answers the exit code. */
export async function printGameRecord(
  { db }: Pick<PortalDeps, 'db'>,
  file: string,
  print: Print,
): Promise<number> {
  let count = 0
  let coins = 0
  const seen = { applied: 0 }
  for await (const difference of differencesWithGame(db, linesOf(file, 'one delivery a line'), seen)) {
    count++
    coins += difference.amount ?? 0
    print(differenceRow(difference))
  }
  if (seen.applied === 0) {
    print(`${file}: no delivery that the game applied is in it, so nothing was compared`)
    return 1
  }
  print(`${count} deliveries of the game are not counted here, for ${formatNumber(coins)} TCoin`)
  return count === 0 ? 0 : 1
}

const differenceRow = ({ id, found, at, account, goods, amount }: RecordDifference): string =>
  [
    id,
    found.padEnd(14),
    at ?? 'no time',
    account ?? 'no player',
    goods ?? 'no goods',
    amount === null ? 'no price' : `${formatNumber(amount)} TCoin`,
  ].join('  ')

/** Closes a day and prints a row per account; returns the exit code, 1 when one is red. For a day that is not over it only prints the figures. */
export async function printClose(deps: ReconciliationDeps, day: string, print: Print): Promise<number> {
  const today = dayOf(deps.clock.now())
  if (day > today) throw new Error(`${day} has not come yet`)
  if (day === today) print(`${day} is not over: nothing is kept of this`)
  const closes = await (day === today ? lookAtDay(deps, day) : closeDay(deps, day))
  return printCloses(closes, day, print)
}

/** Reads from the providers what is new, or one whole day, which is then closed. Returns the exit code. */
export async function printPull(
  deps: ReconciliationDeps,
  day: string | undefined,
  print: Print,
): Promise<number> {
  if (deps.payments.lists.length === 0) throw new Error('no provider is configured that can be asked')
  if (day === undefined) {
    const { found, failed } = await pullLists(deps)
    print(`${found} transfers were not known, ${failed} lists could not be read`)
    return failed === 0 ? 0 : 1
  }
  const { closes, failed } = await reconcileDay(deps, day)
  const code = printCloses(closes, day, print)
  if (failed === 0) return code
  print(`${failed} lists could not be read: their banks’ figures are missing or from before`)
  return 1
}

function printCloses(closes: readonly DayClose[], day: string, print: Print): number {
  if (closes.length === 0) print(`${day}  no receiving account, and nothing moved`)
  for (const close of closes) {
    print(closeRow(close, day))
    for (const difference of close.differences) print(`            ${difference}: ${meaningOf(difference)}`)
  }
  return closes.some(({ status }) => status === 'red') ? 1 : 0
}

function closeRow({ accountNumber, figures, status }: DayClose, day: string): string {
  const bank =
    figures.bank_in_vnd === null
      ? 'no statement'
      : `${formatNumber(figures.bank_in_vnd)} (${String(figures.bank_in_count)})`
  return [
    day,
    accountNumber.padEnd(19),
    status.padEnd(12),
    `bank ${bank}`,
    `arrived ${formatNumber(figures.arrived_vnd)} (${figures.arrived_count})`,
    `credited ${formatNumber(figures.credited_vnd)}`,
    `review ${formatNumber(figures.review_vnd)}`,
    `refunded ${formatNumber(figures.refunded_vnd)}`,
    `ignored ${formatNumber(figures.ignored_vnd)}`,
    `TCoin ${formatNumber(figures.ledger_coins)}`,
  ].join('  ')
}
