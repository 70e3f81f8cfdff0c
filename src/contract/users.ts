import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './fields.ts'
import { formatMoment } from './format.ts'
import { shownName } from './shown-name.ts'

/** The signed-in player, as every page knows them. E-mail and phone are masked. */
export const userSchema = z.object({
  id: idText,
  username: z.string(),
  server_id: z.string(),
  server_name: shownName,
  balance: z.number(),
  /** Rises with each change of the balance: of two answers the one with the lower number is the older. */
  balance_version: z.int(),
  ban_until: z.nullable(moment),
  ban_reason: z.nullable(z.string()),
  activated: z.boolean(),
  first_gift: z.nullable(z.number()),
  role_names: z.array(z.string()),
  permission_names: z.array(z.string()),
  email: z.nullable(z.string()),
  email_verified: z.boolean(),
  phone: z.nullable(z.string()),
  phone_verified: z.boolean(),
  /** Texts in force that the player has not agreed to yet. */
  unread_texts: z.array(z.object({ kind: z.enum(['terms', 'privacy']), version: z.int() })),
  /** Their last answer about the advertiser's pixel; null when they never gave one while signed in. */
  pixel_consent: z.nullable(z.boolean()),
})

export type User = z.output<typeof userSchema>

/** Invited players are counted up to here. */
export const INVITED_COUNTED_MAX = 10_000

export const getInvitation = endpoint('GET', '/user/invitation', 'user', {
  summary: 'The link by which a player invites others, and how many registered by it, counted up to 10,000.',
  answer: z.object({ link: z.string(), invited: z.int() }),
})

/** What a ban prevents: signing in, or transfers, exchanges and gifts. */
export const BAN_SCOPES = ['sign-in', 'trading'] as const

export type BanScope = (typeof BAN_SCOPES)[number]

/** The end of a ban that has none. */
export const BAN_FOREVER = '9999-12-31T00:00:00.000Z'

/** Until when, in words. */
export const banEnd = (until: string): string =>
  until === BAN_FOREVER ? 'vĩnh viễn' : `đến ${formatMoment(until)}`
