import type { Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format-number.ts'
import type { GiftPackage } from '#contract/gift-packages.ts'
import { Coins } from '#ui/coins.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { GiftGoods } from '#web/features/gifts/gift-goods.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'

type Props = {
  character: Character
  chosen: GiftPackage
  balance: number
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** The last look before the one gift an account may have. */
export function ConfirmGift({ character, chosen, balance, isBusy, onConfirm, onClose }: Props) {
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
          { label: purchaseCopy.pay, value: <Coins>{formatNumber(chosen.amount)}</Coins> },
          {
            label: purchaseCopy.balanceAfter,
            value: <Coins>{formatNumber(balance - chosen.amount)}</Coins>,
          },
        ]}
      />
      <div>
        <p className="mb-2 font-bold">{copy.contents}</p>
        <GiftGoods items={chosen.items} />
      </div>
      <p className="text-[0.9375rem] text-soft">{copy.confirmWarning}</p>
    </ConfirmDialog>
  )
}
