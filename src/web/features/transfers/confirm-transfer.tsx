import { formatNumber } from '#contract/format-number.ts'
import { Coins } from '#ui/coins.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'

type Props = {
  payee: string
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
      <Facts
        facts={[
          { label: copy.payeeShort, value: payee },
          { label: copy.amount, value: <Coins>{formatNumber(amount)}</Coins> },
          { label: copy.activate, value: isActivating ? copy.yes : copy.no },
          { label: copy.balanceAfter, value: <Coins>{formatNumber(balance - amount)}</Coins> },
        ]}
      />
      <p className="text-[0.9375rem] text-soft">{copy.confirmWarning}</p>
    </ConfirmDialog>
  )
}
