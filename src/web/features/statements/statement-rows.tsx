import type { ReactNode } from 'react'
import { type Transaction, TRANSACTION_NAMES } from '#contract/transactions.ts'
import { Icon } from '#ui/icon.tsx'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'
import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import type { StatementSort } from '#web/features/statements/statement-query.ts'
import { StatusBadge } from '#web/parts/deliveries/delivery-row.tsx'
import { Link } from '#web/navigation.tsx'
import { Coins } from '#ui/coins.tsx'
import { copyText } from '#web/parts/clipboard/copy-row.tsx'
import { PURCHASES } from '#contract/deliveries.ts'
import { paths } from '#contract/pages.ts'
import { REPORT, reportAddress } from '#web/parts/navigation/report-link.tsx'

type MonthsProps = {
  transactions: readonly Transaction[]
  children: (lines: readonly Transaction[]) => ReactNode
}

/** A page of the statement month by month; the months before the first one shown are folded. */
export function Months({ transactions, children }: MonthsProps) {
  return (
    <div className="space-y-2">
      {monthsOf(transactions).map(({ name, lines }, index) => (
        <details key={name} open={index === 0} className="group">
          <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 px-1 font-bold [&::-webkit-details-marker]:hidden">
            {copy.month(name)}
            <Icon
              name="arrow"
              className="size-5 [transform:rotate(90deg)] text-soft group-open:[transform:rotate(-90deg)]"
            />
          </summary>
          {children(lines)}
        </details>
      ))}
    </div>
  )
}

/** One month of a statement, by Vietnam's clock, with its lines in the order they came. */
type Month<Line> = { name: string; lines: Line[] }

/** The lines month by month; a statement sorted by amount has no months. */
export function monthsOf<Line extends { created_at: string }>(lines: readonly Line[]): Month<Line>[] {
  const months: Month<Line>[] = []
  for (const line of lines) {
    const name = formatDay(line.created_at).slice(3)
    const last = months.at(-1)
    if (last?.name === name) last.lines.push(line)
    else months.push({ name, lines: [line] })
  }
  return months
}

type TableProps = {
  transactions: readonly Transaction[]
  sort: StatementSort
  className: string
  onSort: (sort: StatementSort) => void
}

const cell = 'px-3 py-2 align-top'
const head = 'px-3 align-middle'

export function StatementTable({ transactions, sort, className, onSort }: TableProps) {
  return (
    <table
      className={`w-full table-fixed border-collapse overflow-hidden rounded-xl border border-line bg-raised ${className}`}
    >
      <thead className="bg-sunken text-left text-sm">
        <tr>
          <SortHead column="created_at" sort={sort} className="w-38" onSort={onSort}>
            {copy.time}
          </SortHead>
          <th scope="col" className={head}>
            {copy.content}
          </th>
          <SortHead column="amount" sort={sort} className="w-40 text-right" onSort={onSort}>
            {copy.amount}
          </SortHead>
          <th scope="col" className={`${head} w-30 text-right`}>
            {copy.balanceAfter}
          </th>
          <th scope="col" className={`${head} w-38`}>
            {copy.status}
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map(
          ({ id, type, description, amount, balance_after, created_at, status, reference }) => (
            <tr key={id} className="border-t border-line">
              <td className={`${cell} whitespace-nowrap tabular-nums`}>{formatMoment(created_at)}</td>
              <td className={cell}>
                <strong className="block">{TRANSACTION_NAMES[type]}</strong>
                <span className="block text-[0.9375rem]">{description}</span>
                <Reference type={type} reference={reference} id={id} />
              </td>
              <td className={`${cell} text-right`}>
                <Movement amount={amount} />
              </td>
              <td className={`${cell} text-right tabular-nums`}>{formatNumber(balance_after)}</td>
              <td className={cell}>
                <StatusBadge status={status} />
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  )
}

type HeadProps = {
  column: 'created_at' | 'amount'
  sort: StatementSort
  className: string
  onSort: (sort: StatementSort) => void
  children: string
}

function SortHead({ column, sort, className, onSort, children }: HeadProps) {
  const isSorted = sort.startsWith(column)
  const isDescending = sort.endsWith('desc')
  const next: StatementSort = isSorted && isDescending ? `${column}-asc` : `${column}-desc`
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
      className={className}
    >
      <button
        type="button"
        className="min-h-11 px-3 font-bold hover:text-vermilion"
        onClick={() => onSort(next)}
      >
        {children}
        <span aria-hidden="true" className={isSorted ? '' : 'text-soft'}>
          {isSorted ? (isDescending ? ' ↓' : ' ↑') : ' ↕'}
        </span>
      </button>
    </th>
  )
}

type ListProps = { transactions: readonly Transaction[]; className: string }

/** The statement on a phone: each line is a small block instead of a table row. */
export function StatementList({ transactions, className }: ListProps) {
  return (
    <ul className={`divide-y divide-line rounded-xl border border-line bg-raised ${className}`}>
      {transactions.map(({ id, type, description, amount, balance_after, created_at, status, reference }) => (
        <li key={id} className="space-y-1 px-4 py-3">
          <div className="flex items-start justify-between gap-3">
            <strong>{TRANSACTION_NAMES[type]}</strong>
            <Movement amount={amount} />
          </div>
          <p className="text-[0.9375rem]">{description}</p>
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-soft">
            <span>{formatMoment(created_at)}</span>
            <span>
              {copy.balanceAfter}: <span className="tabular-nums">{formatNumber(balance_after)}</span>
            </span>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            {/* Most lines are complete at once and need no badge. */}
            {status !== 'completed' && <StatusBadge status={status} />}
            <span className="ml-auto">
              <Reference type={type} reference={reference} id={id} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What the wallet gained or lost; shown by sign and colour. */
function Movement({ amount }: { amount: number }) {
  return amount > 0 ? (
    <Coins className="text-leaf!">{`+${formatNumber(amount)}`}</Coins>
  ) : (
    <Coins className="text-vermilion!">{`−${formatNumber(-amount)}`}</Coins>
  )
}

/** The reference in short, which one tap copies whole, and the way to its receipt where there is one. */
function Reference({ id, type, reference }: Pick<Transaction, 'id' | 'type' | 'reference'>) {
  const receipt = receiptOf({ type, reference })
  const { shown, isCut } = shortReference(reference)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 text-sm max-md:justify-end">
      {receipt !== null && (
        <Link to={receipt} className="inline-flex min-h-11 items-center font-bold text-vermilion underline">
          {copy.receipt}
          <span className="sr-only"> {reference}</span>
        </Link>
      )}
      <button
        type="button"
        aria-label={copy.copyReference(reference)}
        className="inline-flex min-h-11 min-w-11 items-center gap-1.5 whitespace-nowrap text-soft tabular-nums hover:text-ink"
        onClick={() => void copyText(reference)}
      >
        <span className="wrap-anywhere">
          {shown}
          {isCut && <span aria-hidden="true">…</span>}
        </span>
        <Icon name="copy" className="size-4" />
      </button>
      <Link
        to={reportAddress('transaction', id)}
        className="inline-flex min-h-11 items-center text-soft underline hover:text-ink"
      >
        {REPORT}
        <span className="sr-only"> {reference}</span>
      </Link>
    </span>
  )
}

/** Credits without an order, and movements that are no purchase, have a number as reference. */
const isNumber = (reference: string) => /^\d+$/.test(reference)

/** Where the receipt of a line of the statement is; null where there is none. */
export function receiptOf({ type, reference }: Pick<Transaction, 'type' | 'reference'>): string | null {
  if (isNumber(reference)) return null
  if (type === 'recharge') return paths.order(reference)
  return type === 'refund' || type in PURCHASES ? paths.deliveries(reference) : null
}

/** As much of a reference as an order's code is long; nobody reads out the rest of a purchase's. */
const WHOLE_LENGTH_MAX = 13
const SHOWN_LENGTH = 8

/** The part of a reference that a line of the statement has room for. */
export function shortReference(reference: string): { shown: string; isCut: boolean } {
  const isCut = reference.length > WHOLE_LENGTH_MAX
  return { shown: isCut ? reference.slice(0, SHOWN_LENGTH) : reference, isCut }
}
