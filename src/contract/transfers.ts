import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amountSchema, envelopeShape, loginUsername, walletShape } from './fields.ts'
import { shownName } from './shown-name.ts'

const balanceAnswer = z.object({ ...envelopeShape, ...walletShape })

export const activate = endpoint('POST', '/user/active', 'user', {
  summary: 'Pays the activation fee once and unlocks trading.',
  answer: balanceAnswer,
  isIdempotent: true,
  errors: ['ALREADY_ACTIVATED', 'INSUFFICIENT_BALANCE', 'BANNED'],
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
    'DISABLED',
  ],
})

/** A player as somebody who may send them TCoin sees them: their game is known by the strongest character, its name masked. */
const payeeSchema = z.object({
  username: z.string(),
  activated: z.boolean(),
  character: z.nullable(z.object({ name: shownName, head: z.number() })),
})

export type Payee = z.output<typeof payeeSchema>

/** Names that one player may look up in an hour, by the look-up or by transfers that are refused. */
export const PAYEES_PER_HOUR = 20

export const findPayee = endpoint('POST', '/user/transfer/payee', 'user', {
  summary: `Who would receive a transfer to this name: at most ${PAYEES_PER_HOUR} names an hour for one player.`,
  body: z.object({ payee: loginUsername }),
  answer: payeeSchema,
  errors: ['NOT_ACTIVATED', 'BANNED', 'PAYEE_NOT_FOUND', 'DISABLED'],
})

/** Payees whom a player sent TCoin last, at most. */
export const RECENT_PAYEES_MAX = 5

export const listRecentPayees = endpoint('GET', '/user/transfer/payees', 'user', {
  summary: `The ${RECENT_PAYEES_MAX} players to whom the player sent TCoin last.`,
  answer: z.array(payeeSchema),
})
