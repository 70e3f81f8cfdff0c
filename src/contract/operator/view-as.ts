import * as z from 'zod/mini'
import { deliverySchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { byId, moment } from '../envelope.ts'
import { claimSchema } from '../recharge-claims.ts'
import { orderSchema } from '../recharge.ts'
import { transactionSchema } from '../transactions.ts'
import { userSchema } from '../users.ts'
import { reason } from './act-fields.ts'
import { permitted } from './roles.ts'

/** How long what was asked for may be read. */
export const VIEW_AS_MINUTES = 10

/** What keeps a player from something at the moment, with the message they read. */
const refusalSchema = z.object({ of: z.enum(['sign-in', 'trading', 'recharge']), message: z.string() })

/** What the player's own calls answer at the moment: the first page of each list. */
const playersViewSchema = z.object({
  /** Until when it may be shown. */
  until: moment,
  user: userSchema,
  refusals: z.array(refusalSchema),
  /** What every page says about closed sections. */
  notices: z.array(z.string()),
  /** Without what an order is paid by. */
  orders: z.array(z.omit(orderSchema, { qr: true, qr_svg: true, pay_url: true })),
  deliveries: z.array(deliverySchema),
  claims: z.array(claimSchema),
  transactions: z.array(transactionSchema),
})

export type PlayersView = z.output<typeof playersViewSchema>

export const viewAsCall = endpoint('POST', '/operator/users/{id}/view-as', permitted('users.view-as'), {
  summary:
    'What this player sees: balance, orders, purchases, claims, statement, and what keeps them from something, as their own calls answer it. Nothing is done in their name; audited. A repeated key answers the present state until ten minutes have passed, then CONFLICT.',
  params: byId,
  body: z.object({ reason }),
  answer: playersViewSchema,
  isIdempotent: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'IN_PROGRESS'],
})
