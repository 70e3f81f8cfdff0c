import * as z from 'zod/mini'
import { deliveryStatusSchema } from './deliveries.ts'
import { endpoint } from './endpoint.ts'
import { envelopeShape } from './envelope.ts'
import { findGiftPackage } from './gift-packages.ts'

export const GIFT_INCOMPLETE = 'Vui lòng chọn nhân vật và gói quà tân thủ'

export const buyPackage = endpoint({
  method: 'POST',
  path: '/user/buy-package',
  access: 'user',
  summary: 'Buys one of the four starter packages for a character; once an account.',
  body: z.object({
    character_id: z.string(GIFT_INCOMPLETE).check(z.minLength(1, GIFT_INCOMPLETE), z.maxLength(64)),
    package_id: z
      .number(GIFT_INCOMPLETE)
      .check(z.refine((id) => findGiftPackage(id) !== undefined, 'Gói quà tân thủ này không tồn tại')),
  }),
  answer: z.object({
    ...envelopeShape,
    balance: z.number(),
    delivery: z.object({ id: z.string(), status: deliveryStatusSchema }),
  }),
  isIdempotent: true,
  errors: [
    'NOT_ACTIVATED',
    'BANNED',
    'GIFT_ALREADY_TAKEN',
    'CHARACTER_NOT_FOUND',
    'INSUFFICIENT_BALANCE',
    'KEY_REUSED',
    'IN_PROGRESS',
  ],
})
