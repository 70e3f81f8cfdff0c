import { goodInWords, type Good } from '#contract/deliveries.ts'
import type { getExchange } from '#contract/exchange.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type { GiftItem } from '#contract/gift-packages.ts'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'

/** What items are called, by their code; undefined while it is read. */
export type ItemNames = AnswerOf<typeof getExchange>['item_names'] | undefined

/** What is handed over, by its present name. */
export function namedGood({ good }: GiftItem, names: ItemNames): Good {
  const name = names?.[good.code ?? '']
  return name === undefined ? good : { ...good, name }
}

export function giftItemText(item: GiftItem, names: ItemNames): string {
  const good = namedGood(item, names)
  if (good.name !== undefined) {
    const words = goodInWords(good)
    return words.charAt(0).toUpperCase() + words.slice(1)
  }
  const { name, quantity } = item
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

type Props = { items: readonly GiftItem[]; names: ItemNames; id?: string }

/** The contents of a package, each with its picture. */
export function GiftGoods({ items, names, id }: Props) {
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
          <span className="min-w-0">{giftItemText(item, names)}</span>
        </li>
      ))}
    </ul>
  )
}
