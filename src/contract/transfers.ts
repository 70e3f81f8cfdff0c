import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { envelopeShape } from './envelope.ts'
import { loginUsername } from './fields.ts'
import { amountSchema } from './money.ts'

const balanceAnswer = z.object({ ...envelopeShape, balance: z.number() })

export const activate = endpoint('POST', '/user/active', 'user', {
  summary: 'Pays the activation fee once and unlocks trading.',
  answer: balanceAnswer,
  isIdempotent: true,
  errors: ['ALREADY_ACTIVATED', 'INSUFFICIENT_BALANCE', 'BANNED', 'KEY_REUSED', 'IN_PROGRESS'],
})

export const transferBody = z.object({
  payee: loginUsername,
  amount: amountSchema,
  activate: z.nullish(z.boolean()),
})

export const transfer = endpoint('POST', '/user/transfer', 'user', {
  summary: 'Sends TCoin to another player; with `activate`, part of it pays their activation fee.',
  body: transferBody,
  answer: balanceAnswer,
  isIdempotent: true,
  errors: [
    'NOT_ACTIVATED',
    'BANNED',
    'INSUFFICIENT_BALANCE',
    'PAYEE_NOT_FOUND',
    'LIMIT_EXCEEDED',
    'OTP_REQUIRED',
    'KEY_REUSED',
    'IN_PROGRESS',
    'DISABLED',
  ],
})
