import * as z from 'zod/mini'
import { columnOrNone, identifier } from './presets.ts'

const whole = z.int('a whole number').check(z.gte(1, '1 or more'), z.lte(1_000_000_000, '1000000000 or less'))

/** What `portal import-accounts` reads beside the columns that the adapter knows; the adapter itself ignores it. */
export const importSection = z.strictObject({
  password: identifier,
  passwords: z._default(
    z.enum(['detected', 'plain', 'md5', 'bcrypt'], 'one of detected, plain, md5, bcrypt'),
    'detected',
  ),
  /** Not 0: activated. */
  activated: z._default(columnOrNone, null),
  /** What the account has left of the old web page's currency: `coins` TCoin for each `per` of it. */
  balance: z.optional(z.strictObject({ column: identifier, coins: whole, per: whole })),
  /** The id of the portal's server that the accounts belong to; otherwise the first of `servers`. */
  server: z.optional(z.string('a text').check(z.regex(/^[0-9A-Za-z_-]{1,16}$/, 'the id of a server'))),
})

export type ImportSection = z.output<typeof importSection>
