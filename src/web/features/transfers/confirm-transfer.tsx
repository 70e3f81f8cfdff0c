import { formatNumber } from '#contract/format.ts'
import type { Payee } from '#contract/transfers.ts'
import { Coins } from '#ui/coins.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { PayeeCard } from '#web/features/transfers/payee-card.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'

type Props = {
  payee: Payee
  amount: number
  isActivating: boolean
  balance: number
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmTransfer({ payee, amount, isActivating, balance, isBusy, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      confirmLabel={copy.confirm}
      isBusy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <PayeeCard payee={payee} />
      <Facts
        facts={[
          { label: copy.amount, value: <Coins>{formatNumber(amount)}</Coins> },
          ...(isActivating ? [{ label: copy.activate, value: copy.yes }] : []),
          { label: copy.balanceAfter, value: <Coins>{formatNumber(balance - amount)}</Coins> },
        ]}
      />
      <p className="text-[0.9375rem] text-soft">{copy.confirmWarning}</p>
    </ConfirmDialog>
  )
}
