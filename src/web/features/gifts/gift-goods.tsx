import { formatNumber } from '#contract/format.ts'
import type { GiftItem } from '#contract/gift-packages.ts'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'

export function giftItemText({ name, quantity }: GiftItem): string {
  return quantity === undefined ? name : copy.quantity(formatNumber(quantity), name)
}

export const GiftPicture = ({ id, className }: { id: number; className: string }) => (
  <img
    src={`/images/gifts/package-${id}.svg`}
    width={96}
    height={96}
    alt=""
    className={`shrink-0 ${className}`}
  />
)

/** The contents of a package, each with its picture. */
export function GiftGoods({ items, id }: { items: readonly GiftItem[]; id?: string }) {
  return (
    <ul id={id} className="space-y-1.5">
      {items.map((item) => (
        <li key={item.name} className="flex items-center gap-2.5">
          <img
            src={`/images/gifts/${item.icon}.svg`}
            width={32}
            height={32}
            alt=""
            className="size-8 shrink-0"
          />
          <span className="min-w-0">{giftItemText(item)}</span>
        </li>
      ))}
    </ul>
  )
}
