import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import type { Transaction } from '#contract/transactions.ts'
import { Coins } from '#ui/coins.tsx'
import { Icon } from '#ui/icon.tsx'
import { receiptOf } from '#web/features/statements/receipt-of.ts'
import { shortReference } from '#web/features/statements/short-reference.ts'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'
import { copyRowCopy } from '#web/parts/copy-row/copy-row.copy.ts'
import { copyText } from '#web/parts/copy-row/copy-text.ts'

/** What the wallet gained or lost; the sign says which, and the colour says it again. */
export function Movement({ amount }: { amount: number }) {
  return amount > 0 ? (
    <Coins className="text-leaf!">{`+${formatNumber(amount)}`}</Coins>
  ) : (
    <Coins className="text-vermilion!">{`−${formatNumber(-amount)}`}</Coins>
  )
}

/** The reference in short, which one tap copies whole, and the way to its receipt where there is one. */
export function Reference({ type, reference }: Pick<Transaction, 'type' | 'reference'>) {
  const receipt = receiptOf({ type, reference })
  const { shown, isCut } = shortReference(reference)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 text-sm">
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
        onClick={() => void copyText(reference, copyRowCopy)}
      >
        <span>
          {shown}
          {isCut && <span aria-hidden="true">…</span>}
        </span>
        <Icon name="copy" className="size-4" />
      </button>
    </span>
  )
}
