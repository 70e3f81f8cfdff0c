import { REFERRAL_NAME } from '#contract/constants.ts'

export function readReferral(cookies = document.cookie): string | null {
  for (const part of cookies.split('; ')) {
    if (!part.startsWith(`${REFERRAL_NAME}=`)) continue
    try {
      return decodeURIComponent(part.slice(REFERRAL_NAME.length + 1)) || null
    } catch {
      // A cookie that somebody else garbled invites nobody.
      return null
    }
  }
  return null
}

export function forgetReferral(): void {
  document.cookie = `${REFERRAL_NAME}=; Max-Age=0; Path=/; SameSite=Lax`
}
