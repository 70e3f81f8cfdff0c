import { isUncollected, type Delivery } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { findGiftPackage } from '#contract/gift-packages.ts'
import { Icon } from '#ui/icon.tsx'
import { GiftGoods, GiftPicture } from '#web/features/gifts/gift-goods.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import { DeliveryRow } from '#web/parts/deliveries/delivery-row.tsx'
import { useOutcomeFocus } from '#web/parts/progress/progress-view.tsx'
import { useOwnCharacters } from '#web/parts/purchase/own-characters.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'

type Props = { packageId: number; delivery: Delivery | undefined; isNew: boolean }

/** The gift this account has bought, and the state of its delivery. */
export function GiftTaken({ packageId, delivery, isNew }: Props) {
  const heading = useOutcomeFocus(isNew)
  const taken = findGiftPackage(packageId)
  const names = useOwnCharacters().data?.item_names
  return (
    <section
      aria-labelledby="taken-title"
      className="max-w-2xl rounded-xl border border-line bg-raised p-4 shadow-card sm:p-6"
    >
      <div className="flex items-start gap-4">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-leaf-wash text-leaf">
          <Icon name="check" className="size-6" />
        </span>
        <div>
          <h2 ref={heading} id="taken-title" tabIndex={-1} className="text-xl outline-none">
            {copy.takenTitle}
          </h2>
          <p className="mt-1 text-soft">{taken ? copy.takenText : copy.unknownPackage}</p>
        </div>
      </div>
      {taken && (
        <div className="mt-5 border-t border-line pt-4">
          <div className="mb-3 flex items-center gap-3">
            <GiftPicture id={taken.id} className="size-16" />
            <div>
              <strong className="block">{taken.title}</strong>
              <span className="text-sm text-soft">{copy.packageOf(formatNumber(taken.amount))}</span>
            </div>
          </div>
          <GiftGoods items={taken.items} names={names} />
        </div>
      )}
      {delivery && (
        <div className="mt-5 border-t border-line pt-4">
          <h3 className="mb-2 text-base">{copy.delivery}</h3>
          <DeliveryRow delivery={delivery}>{copy.deliveryTo(delivery.character_name)}</DeliveryRow>
          {delivery.status === 'delivered' && !isUncollected(delivery) && (
            <p className="text-sm text-soft">{copy.deliveredNote}</p>
          )}
        </div>
      )}
      {delivery && (
        <TextLink to={paths.deliveries(delivery.id)} className="mt-2">
          {purchaseCopy.receipt}&nbsp;→
        </TextLink>
      )}
    </section>
  )
}
