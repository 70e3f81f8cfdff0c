import { Secret, TOTP } from 'otpauth'

/** What every authenticator app understands (RFC 6238). */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps before and after the present one: phones' clocks go wrong, and typing takes time. */
const WINDOW_STEPS = 1
const SECRET_BYTES = 20

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The address an app reads from the QR; the app lists the account as the site's name and the player's. */
export function setupUri({
  secret,
  site,
  username,
}: {
  secret: string
  site: string
  username: string
}): string {
  // A colon parts the two names.
  const issuer = site.replaceAll(':', ' ')
  return new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret), issuer, label: username }).toString()
}

/** The step a code belongs to, or null when it is wrong or not newer than the last one that was taken. */
export function matchingStep(
  { secret, lastStep }: { secret: string; lastStep: number },
  { code, now }: { code: string; now: Date },
): number | null {
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: WINDOW_STEPS })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / SHAPE.period) + delta
  return step > lastStep ? step : null
}
