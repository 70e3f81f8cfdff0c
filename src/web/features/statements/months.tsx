import type { ReactNode } from 'react'
import type { Transaction } from '#contract/transactions.ts'
import { Icon } from '#ui/icon.tsx'
import { monthsOf } from '#web/features/statements/statement-months.ts'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'

type Props = { transactions: readonly Transaction[]; children: (lines: readonly Transaction[]) => ReactNode }

/** A page of the statement month by month; the months before the first one shown are folded. */
export function Months({ transactions, children }: Props) {
  return (
    <div className="space-y-2">
      {monthsOf(transactions).map(({ name, lines }, index) => (
        <details key={name} open={index === 0} className="group">
          <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 px-1 font-bold [&::-webkit-details-marker]:hidden">
            {copy.month(name)}
            <Icon name="arrow" className="size-5 rotate-90 text-soft group-open:-rotate-90" />
          </summary>
          {children(lines)}
        </details>
      ))}
    </div>
  )
}
