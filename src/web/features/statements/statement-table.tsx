import { formatMoment, formatNumber } from '#contract/format.ts'
import { type Transaction, TRANSACTION_NAMES } from '#contract/transactions.ts'
import type { StatementSort } from '#web/features/statements/statement-query.ts'
import { Movement, Reference } from '#web/features/statements/statement-parts.tsx'
import { StatusBadge } from '#web/parts/deliveries/status-badge.tsx'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'

type Props = {
  transactions: readonly Transaction[]
  sort: StatementSort
  className: string
  onSort: (sort: StatementSort) => void
}

const cell = 'px-3 py-2 align-top'
const head = 'px-3 align-middle'

export function StatementTable({ transactions, sort, className, onSort }: Props) {
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
                <Reference type={type} reference={reference} />
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
