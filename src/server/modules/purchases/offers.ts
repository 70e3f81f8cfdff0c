import type { PurchaseKind } from '#contract/purchases.ts'
import { exchangeOffer } from './exchange.offer.ts'
import { giftOffer } from './gift.offer.ts'
import type { Offer } from './offer.ts'

/** The offer of each kind of purchase. */
export const OFFERS = { exchange: exchangeOffer, gift: giftOffer } satisfies {
  [Kind in PurchaseKind]: Offer<never> & { kind: Kind }
}
