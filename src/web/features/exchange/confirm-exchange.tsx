import type { AmountOption, Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Coins } from '#ui/coins.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'

type Props = {
  character: Character
  option: AmountOption
  balance: number
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** The last look: what leaves the wallet, what arrives, and at whom. */
export function ConfirmExchange({ character, option, balance, isBusy, onConfirm, onClose }: Props) {
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
          { label: purchaseCopy.toCharacter, value: character.name },
          { label: purchaseCopy.pay, value: <Coins>{formatNumber(option.amount)}</Coins> },
          { label: copy.get, value: copy.luong(formatNumber(option.receive)) },
          { label: purchaseCopy.balanceAfter, value: <Coins>{formatNumber(balance - option.amount)}</Coins> },
        ]}
      />
      <p className="text-[0.9375rem] text-soft">{copy.confirmWarning}</p>
    </ConfirmDialog>
  )
}
