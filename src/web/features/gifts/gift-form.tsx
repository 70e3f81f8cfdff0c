import { useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { GIFT_PACKAGES, type GiftPackage } from '#contract/gift-packages.ts'
import { buyPackage } from '#contract/exchange.ts'
import { Alert } from '#ui/alert.tsx'
import { Choice } from '#ui/choice.tsx'
import { Coins } from '#ui/coins.tsx'
import { GiftGoods, GiftPicture, type ItemNames, namedGood } from '#web/features/gifts/gift-goods.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import { patchUser, refreshUser, useSession } from '#web/session/session-store.ts'
import type { OwnCharacters } from '#web/parts/purchase/own-characters.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { BestMark, unaffordableClass, bestValue } from '#web/parts/purchase/options.tsx'
import { PurchaseForm } from '#web/parts/purchase/purchase-form.tsx'

type Props = { own: OwnCharacters; wasRefunded: boolean; onBought: () => void }

export function GiftForm({ own, wasRefunded, onBought }: Props) {
  const [chosen, setChosen] = useState<GiftPackage | undefined>()
  const names = own.data?.item_names
  return (
    <PurchaseForm
      endpoint={buyPackage}
      kind="gift"
      goodsOf={({ items }) => items.map((item) => namedGood(item, names))}
      words={copy}
      own={own}
      above={wasRefunded && <Alert tone="note">{copy.refunded}</Alert>}
      renderCards={() => <PackageChoice names={names} chosen={chosen} onChoose={setChosen} />}
      chosen={chosen}
      figuresOf={(option) => [
        { label: purchaseCopy.pay, text: option ? formatNumber(option.amount) : null, isCoins: true },
      ]}
      bodyOf={(character_id, { id, amount }) => ({ character_id, package_id: id, expected_price: amount })}
      renderDetails={({ items }) => (
        <div>
          <p className="mb-2 font-bold">{copy.contents}</p>
          <GiftGoods items={items} names={names} />
        </div>
      )}
      onBought={({ balance, balance_version }) => {
        onBought()
        patchUser({ balance, balance_version, first_gift: chosen?.id ?? null })
      }}
      // For example bought on another device: the page then shows what the account has.
      onRefused={({ status }) => void (status === 409 && refreshUser())}
    />
  )
}

type PackageProps = {
  names: ItemNames
  chosen: GiftPackage | undefined
  onChoose: (chosen: GiftPackage) => void
}

const luongIn = ({ items }: GiftPackage) =>
  items.reduce((sum, { good }) => (good.kind === 'luong' ? sum + good.quantity : sum), 0)

function PackageChoice({ names, chosen, onChoose }: PackageProps) {
  const { user } = useSession()
  const best = bestValue(GIFT_PACKAGES, luongIn)
  return (
    <fieldset>
      <legend className="mb-2 text-lg font-bold sm:mb-3 sm:text-xl">{copy.packages}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {GIFT_PACKAGES.map((offered) => (
          <Choice
            key={offered.id}
            name="package"
            value={offered.id}
            checked={offered === chosen}
            className={`flex-col items-stretch! p-4 ${unaffordableClass(user, offered.amount)}`}
            aria-describedby={`goods-${offered.id}`}
            more={<GiftGoods id={`goods-${offered.id}`} items={offered.items} names={names} />}
            onChange={() => onChoose(offered)}
          >
            <span className="flex flex-wrap items-center gap-3">
              <GiftPicture id={offered.id} className="size-20" />
              <span className="min-w-0 grow basis-28">
                <strong className="block text-lg leading-snug">{offered.title}</strong>
                <span className="block text-sm text-soft">
                  {copy.packageOf(formatNumber(offered.amount))}
                </span>
                <Coins className="mt-1">{formatNumber(offered.amount)}</Coins>
              </span>
            </span>
            {offered === best && <BestMark />}
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}
