import { formatNumber } from '#contract/format.ts'
import {
  closeDay,
  dayOf,
  lookAtDay,
  meaningOf,
  pullLists,
  reconcileDay,
  type DayClose,
  type ReconciliationDeps,
} from '#server/modules/reconciliation/index.ts'

type Print = (line: string) => void

/** Closes a day and prints a row per account; returns the exit code, 1 when one is red. For a day that is not over it only prints the figures. */
export async function printClose(deps: ReconciliationDeps, day: string, print: Print): Promise<number> {
  const today = dayOf(deps.clock.now())
  if (day > today) throw new Error(`${day} has not come yet`)
  if (day === today) print(`${day} is not over: nothing is kept of this`)
  const closes = await (day === today ? lookAtDay(deps, day) : closeDay(deps, day))
  return printCloses(closes, day, print)
}

/** Asks the providers: for what is new, or for one whole day, which is then closed. Answers the exit code. */
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
    print(rowOf(close, day))
    for (const difference of close.differences) print(`            ${difference}: ${meaningOf(difference)}`)
  }
  return closes.some(({ status }) => status === 'red') ? 1 : 0
}

function rowOf({ accountNumber, figures, status }: DayClose, day: string): string {
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
