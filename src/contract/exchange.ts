import * as z from 'zod/mini'
import { boughtAnswer, PURCHASE_REFUSALS } from './deliveries.ts'
import { endpoint } from './endpoint.ts'
import { amountOr, amountSchema, moment } from './fields.ts'
import { findGiftPackage } from './gift-packages.ts'
import { shownName } from './shown-name.ts'

export const characterSchema = z.object({
  id: z.string(),
  name: shownName,
  info: z.object({
    head: z.number(),
    headName: z.nullable(z.string()),
    classId: z.number(),
    /** Null where the game did not say which class it is. */
    className: z.nullable(z.string()),
    level: z.number(),
  }),
})

export const amountOptionSchema = z.object({ amount: z.number(), receive: z.number() })

export const getExchange = endpoint('GET', '/exchange', 'open', {
  summary: 'The amounts on offer and the characters of the player; a visitor has none.',
  answer: z.object({
    amounts: z.array(amountOptionSchema),
    characters: z.array(characterSchema),
    /** Bonus in percent. */
    bonus: z.number(),
    /** When the characters were last read from the game; null while they never were. */
    characters_at: z.nullable(moment),
    /** What the items of the starter packages are called, by their code; those without a name are left out. */
    item_names: z.record(z.string(), z.string()),
  }),
})

export const EXCHANGE_INCOMPLETE = 'Vui lòng chọn nhân vật và mệnh giá'

export const storeExchange = endpoint('POST', '/exchange/store', 'user', {
  summary:
    'Buys luong for a character. The price comes from the server; `amount` must be one of those on offer. A client that shows the offer has to send `expected_receive`, the luong it showed: another price is refused with PRICE_CHANGED. Only a call that comes without any offer shown leaves it out, and buys at the price of the moment.',
  body: z.object({
    character_id: z.string(EXCHANGE_INCOMPLETE).check(z.minLength(1, EXCHANGE_INCOMPLETE), z.maxLength(64)),
    amount: amountOr(EXCHANGE_INCOMPLETE),
    /** The luong that the player was shown: required unless no offer was shown. */
    expected_receive: z.optional(amountSchema),
  }),
  answer: boughtAnswer,
  isIdempotent: true,
  errors: PURCHASE_REFUSALS,
})

export type Character = z.output<typeof characterSchema>
export type AmountOption = z.output<typeof amountOptionSchema>

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
