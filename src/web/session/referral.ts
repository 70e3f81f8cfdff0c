import { REFERRAL_COOKIE } from '#contract/constants.ts'

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
