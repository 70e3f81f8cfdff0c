import { formatNumber } from './format.ts'

/**
 * Everything that can be bought for a character. Contract, statement, ledger kinds and refunds follow from this list; a
 * new kind is an entry here and an offer in the server's module `purchases`.
 */
export const PURCHASES = {
  exchange: {
    name: 'Đổi lượng',
    act: (luong: number | null) => (luong ? `đổi ${formatNumber(luong)} lượng` : 'đổi lượng'),
  },
  gift: { name: 'Quà tân thủ', act: () => 'mua quà tân thủ' },
} as const satisfies Record<string, PurchaseWords>

type PurchaseWords = {
  /** Its type in lists. */
  name: string
  /** What the player did, in the middle of a sentence; `luong` is what was promised of it, if any. */
  act: (luong: number | null) => string
}

export type PurchaseKind = keyof typeof PURCHASES
export const PURCHASE_KINDS = Object.keys(PURCHASES) as [PurchaseKind, ...PurchaseKind[]]

/** The kinds of a purchase's ledger transfers: its TCoin are held, then settled (the goods arrived) or refunded. */
export type PurchaseTransfer = `${PurchaseKind}_${'hold' | 'settle' | 'refund'}`

/** What an exchange or a package costs and brings now, in the refusal PRICE_CHANGED. */
export type ChangedOffer = { amount: number; receive: number } | { package_id: number; amount: number }
