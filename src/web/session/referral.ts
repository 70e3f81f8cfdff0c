import { REFERRAL_COOKIE, REFERRAL_COOKIE_SECONDS } from '#contract/constants.ts'

const REFERRAL_MAX = 64

/** Who invited a visitor is kept for seven days, until they register. */
export function rememberReferral(referral: string): void {
  const value = encodeURIComponent(referral.slice(0, REFERRAL_MAX))
  document.cookie = `${REFERRAL_COOKIE}=${value}; Max-Age=${REFERRAL_COOKIE_SECONDS}; Path=/; SameSite=Lax`
}

export function readReferral(cookies = document.cookie): string | null {
  for (const part of cookies.split('; ')) {
    if (!part.startsWith(`${REFERRAL_COOKIE}=`)) continue
    try {
      return decodeURIComponent(part.slice(REFERRAL_COOKIE.length + 1)) || null
    } catch {
      // A cookie that somebody else garbled invites nobody.
      return null
    }
  }
  return null
}

export function forgetReferral(): void {
  document.cookie = `${REFERRAL_COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`
}
