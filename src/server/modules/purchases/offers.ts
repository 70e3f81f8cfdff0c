import type { ChangedOffer } from '#contract/errors.ts'
import type { Good, PurchaseKind } from '#contract/deliveries.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { AmountOption, buyPackage, storeExchange } from '#contract/exchange.ts'
import { findGiftPackage } from '#contract/gift-packages.ts'
import { formatNumber } from '#contract/format.ts'
import type { SettingValues } from '#server/modules/settings/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { Refusal, invalidField, invariant } from '#server/platform/values/errors.ts'
import { amountsOnOffer } from './exchange.rules.ts'
import { exchangeOrder, gift, hasGift, voidGift, type OwnRow } from './deliveries.queries.ts'

/** One kind of purchase: what it costs and brings, and the row that records it. Everything else is `purchase`. */
export type Offer<Body> = {
  kind: PurchaseKind
  /** Names the callers' keys. They outlive a release, so it never changes. */
  keyScope: string
  /** Prices the request, while the player's wallet is locked. Throws the refusal when it cannot be bought. */
  price(tx: Tx, buyer: Buyer, body: Body): Promise<Priced>
  /** What a refund undoes besides giving the TCoin back, in its transaction. */
  undo?(tx: Tx, deliveryId: string): Promise<void>
}

/** Who buys, and the settings of this moment. */
type Buyer = { userId: string; settings: SettingValues }

type Priced = {
  amount: number
  goods: readonly Good[]
  /** Writes the offer's own row, in one statement with its delivery. */
  record: OwnRow
  /** What the player reads: `Bạn đã <bought> cho nhân vật …`, and `<arriving> đang được chuyển vào game`. */
  words: { bought: string; arriving: string }
}

/** Throws PRICE_CHANGED when the player was shown another figure than the one that counts now. */
function assertAsShown(shown: number | undefined, now: number, offer: ChangedOffer): void {
  if (shown !== undefined && shown !== now) throw new Refusal('PRICE_CHANGED', { offer })
}

type ShownExchange = {
  amount: number
  expected_receive?: number | undefined
  /** What was promised for later: more is welcome. */
  least_receive?: number | undefined
}

/**
 * What an amount of TCoin buys now, if it is on offer. Throws PRICE_CHANGED when the player was shown something else, or promised
 * more. `field` names the amount in the request.
 */
export function offeredExchange(settings: SettingValues, shown: ShownExchange, field: string): AmountOption {
  const option = amountsOnOffer(settings).find(({ amount }) => amount === shown.amount)
  if (!option) {
    throw invalidField(field, 'Mệnh giá này hiện không được đổi, vui lòng chọn mệnh giá khác')
  }
  assertAsShown(shown.expected_receive, option.receive, option)
  if (option.receive < (shown.least_receive ?? 0)) throw new Refusal('PRICE_CHANGED', { offer: option })
  return option
}

export type ExchangeBody = BodyOf<typeof storeExchange> & Pick<ShownExchange, 'least_receive'>

/** Luong for TCoin, at the terms of the settings. */
export const exchangeOffer = {
  kind: 'exchange',
  keyScope: 'exchange',
  async price(_tx, { userId, settings }, body) {
    const { amount, receive } = offeredExchange(settings, body, 'amount')
    return {
      amount,
      goods: [{ kind: 'luong', quantity: receive }],
      record: (db, deliveryId) =>
        exchangeOrder(db, {
          delivery_id: deliveryId,
          user_id: userId,
          amount,
          rate: settings.exchangeRate,
          bonus_percent: settings.exchangeBonusPercent,
          receive,
        }),
      words: {
        bought: `đổi ${formatNumber(amount)} TCoin lấy ${formatNumber(receive)} lượng`,
        arriving: 'Lượng',
      },
    }
  },
} as const satisfies Offer<ExchangeBody>

/** A starter package, one an account; a refund frees the account to take another. */
const giftOffer = {
  kind: 'gift',
  keyScope: 'buy-package',
  async price(tx, { userId }, { package_id, expected_price }) {
    const chosen = findGiftPackage(package_id)
    invariant(chosen, 'the contract lets known packages in only')
    // An account's purchases take turns by its wallet's lock, so that the second one sees the first one's gift.
    if (await hasGift(tx, userId)) throw new Refusal('GIFT_ALREADY_TAKEN')
    const { amount, items } = chosen
    assertAsShown(expected_price, amount, { package_id, amount })
    return {
      amount,
      goods: items.map(({ good }) => good),
      record: (db, delivery_id) => gift(db, { delivery_id, user_id: userId, package_id }),
      words: { bought: `mua gói quà tân thủ ${formatNumber(amount)} TCoin`, arriving: 'Quà' },
    }
  },
  undo: voidGift,
} as const satisfies Offer<BodyOf<typeof buyPackage>>

/** The offer of each kind of purchase. */
export const OFFERS = { exchange: exchangeOffer, gift: giftOffer } satisfies {
  [Kind in PurchaseKind]: Offer<never> & { kind: Kind }
}
