import { REFERRAL_NAME, REFERRAL_COOKIE_SECONDS } from '#contract/constants.ts'
import { readCookie } from '#web/browser-call.ts'

const REFERRAL_MAX = 64

/** The referrer of a visitor is stored for seven days, until they register. */
export function rememberReferral(referral: string): void {
  const value = encodeURIComponent(referral.slice(0, REFERRAL_MAX))
  document.cookie = `${REFERRAL_NAME}=${value}; Max-Age=${REFERRAL_COOKIE_SECONDS}; Path=/; SameSite=Lax`
}

export const readReferral = (cookies?: string) => readCookie(REFERRAL_NAME, cookies) || null

export function forgetReferral(): void {
  document.cookie = `${REFERRAL_NAME}=; Max-Age=0; Path=/; SameSite=Lax`
}
