export type SignInOutcome = 'succeeded' | 'wrong-password' | 'wrong-second-factor'

export const SIGN_IN_DAYS_KEPT = 90
/** Of one account. The log has them all. */
export const FAILED_SIGN_INS_A_DAY_MAX = 100

const countryNames = new Intl.DisplayNames(['vi'], { type: 'region' })

/** A kept place in words: a country's Vietnamese name. */
export function describePlace(place: string): string {
  if (place === 'private') return 'Mạng nội bộ'
  return /^[A-Z]{2}$/.test(place) ? (countryNames.of(place) ?? place) : 'Không rõ nơi'
}
