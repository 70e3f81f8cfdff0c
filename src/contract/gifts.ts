import * as z from 'zod/mini'
import { boughtAnswer, PURCHASE_REFUSALS } from './deliveries.ts'
import { endpoint } from './endpoint.ts'
import { findGiftPackage } from './gift-packages.ts'
import { amountSchema } from './money.ts'

export const GIFT_INCOMPLETE = 'Vui lòng chọn nhân vật và gói quà tân thủ'

export const buyPackage = endpoint('POST', '/user/buy-package', 'user', {
  summary:
    'Buys one of the four starter packages for a character; once an account. A client that shows the offer has to send `expected_price`, the TCoin it showed: another price is refused with PRICE_CHANGED. Only a call that comes without any offer shown leaves it out, and buys at the price of the moment.',
  body: z.object({
    character_id: z.string(GIFT_INCOMPLETE).check(z.minLength(1, GIFT_INCOMPLETE), z.maxLength(64)),
    package_id: z
      .number(GIFT_INCOMPLETE)
      .check(z.refine((id) => findGiftPackage(id) !== undefined, 'Gói quà tân thủ này không tồn tại')),
    /** The TCoin that the player was shown: required unless no offer was shown. */
    expected_price: z.optional(amountSchema),
  }),
  answer: boughtAnswer,
  isIdempotent: true,
  errors: ['GIFT_ALREADY_TAKEN', ...PURCHASE_REFUSALS],
})
