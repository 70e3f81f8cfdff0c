import * as z from 'zod/mini'
import { deliveryStatusSchema, goodSchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { envelopeShape, walletShape, filledText } from '../fields.ts'
import { CHARACTER_MISSING } from './check-in.ts'

/** Letters of a code, without what is put between them. */
export const GIFT_CODE_LETTERS = 12

export const redeemGiftCode = endpoint('POST', '/gift-codes/redeem', 'user', {
  summary:
    'Gives TCoin, or goods for one of the player’s characters. Blanks, hyphens and small letters in a code do not matter. A code whose goods the game refused may be redeemed again.',
  body: z.object({
    code: filledText(z.maxLength(40, 'Mã quà quá dài')),
    /** Needed where the code gives goods. */
    character_id: z.nullish(z.string(CHARACTER_MISSING).check(z.maxLength(64))),
  }),
  answer: z.object({
    ...envelopeShape,
    granted: z.object({ coins: z.number(), goods: z.array(goodSchema) }),
    ...walletShape,
    /** Of goods. */
    delivery: z.optional(z.object({ id: z.string(), status: deliveryStatusSchema })),
  }),
  isIdempotent: true,
  errors: [
    'CODE_INVALID',
    'CODE_USED',
    'CODE_ENDED',
    'NOT_ACTIVATED',
    'BANNED',
    'CHARACTER_NOT_FOUND',
    'GOODS_UNAVAILABLE',
  ],
})
