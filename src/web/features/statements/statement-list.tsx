import { formatMoment, formatNumber } from '#contract/format.ts'
import { type Transaction, TRANSACTION_NAMES } from '#contract/transactions.ts'
import { Movement, Reference } from '#web/features/statements/statement-parts.tsx'
import { StatusBadge } from '#web/parts/deliveries/status-badge.tsx'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'

type Props = { transactions: readonly Transaction[]; className: string }

/** The statement on a phone: each line is a small block instead of a table row. */
export function StatementList({ transactions, className }: Props) {
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
            {/* Most lines are complete at once, and say so by being there. */}
            {status !== 'completed' && <StatusBadge status={status} />}
            <span className="ml-auto">
              <Reference type={type} reference={reference} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
