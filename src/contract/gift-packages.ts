import type { Good } from './deliveries.ts'

export type GiftIcon = 'luong' | 'yen' | 'pet' | 'companion'

/** One line of a package: how it is shown, and what the game hands over for it. */
export type GiftItem = {
  name: string
  /** The drawing `/images/gifts/{icon}.svg`. */
  icon: GiftIcon
  /** Shown beside the name; left out where there is one of it. */
  quantity?: number
  good: Good
}

export type GiftPackage = {
  id: number
  /** What it is called in the shop. */
  title: string
  /** The price in TCoin, which is also the id (spec §9). */
  amount: number
  items: readonly GiftItem[]
}

const pet: GiftItem = { name: 'Thú cưng', icon: 'pet', good: { kind: 'item', code: 'pet', quantity: 1 } }

const companion = (days: number): GiftItem => ({
  name: `Bạn đồng hành ${days} ngày`,
  icon: 'companion',
  good: { kind: 'item', code: 'companion', quantity: 1, days },
})

type Main = { title: string; luong: number; yen: number }

function giftPackage(amount: number, { title, luong, yen }: Main, more: GiftItem[]): GiftPackage {
  const items: GiftItem[] = [
    { name: 'Lượng', icon: 'luong', quantity: luong, good: { kind: 'luong', quantity: luong } },
    { name: 'Yên', icon: 'yen', quantity: yen, good: { kind: 'yen', quantity: yen } },
    ...more,
  ]
  return { id: amount, title, amount, items }
}

/** The starter packages of spec §9, the smallest first. An account may take one. */
export const GIFT_PACKAGES: readonly GiftPackage[] = [
  giftPackage(9_999, { title: 'Hành trang nhập môn', luong: 2_999, yen: 9_999_999 }, [pet]),
  giftPackage(19_999, { title: 'Hành trang hạ sơn', luong: 5_999, yen: 19_999_999 }, [pet]),
  giftPackage(49_999, { title: 'Rương đồng hành', luong: 15_999, yen: 39_999_999 }, [pet, companion(3)]),
  giftPackage(99_999, { title: 'Rương đại hiệp', luong: 35_000, yen: 99_999_999 }, [pet, companion(7)]),
]

export function findGiftPackage(id: number): GiftPackage | undefined {
  return GIFT_PACKAGES.find((each) => each.id === id)
}
