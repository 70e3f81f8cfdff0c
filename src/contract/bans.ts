import { formatMoment } from './vietnam-time.ts'

/** What keeps a player out: of signing in, or of transfers, exchanges and gifts. */
export const BAN_SCOPES = ['sign-in', 'trading'] as const

export type BanScope = (typeof BAN_SCOPES)[number]

/** The end of a ban that has none. */
export const BAN_FOREVER = '9999-12-31T00:00:00.000Z'

/** Until when, in words. */
export const banEnd = (until: string): string =>
  until === BAN_FOREVER ? 'vĩnh viễn' : `đến ${formatMoment(until)}`
