import type { BodyOf } from '#contract/endpoint.ts'
import { findGiftPackage } from '#contract/gift-packages.ts'
import type { buyPackage } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { assertAsShown, type Offer } from './offer.ts'
import { gift, hasGift, voidGift } from './offers.queries.ts'

/** A starter package, one an account; a refund frees the account to take another. */
export const giftOffer = {
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
