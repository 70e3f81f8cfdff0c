/** How long a device is remembered after its last sign-in: its cookie, and the address it came from. */
export const COOKIE_DAYS_MAX = 180
export const ADDRESS_DAYS_MAX = 30

/** Of each kind and account, the newest. */
export const KNOWN_DEVICES_MAX = 20

/** A sign-in soon after the last writes nothing. */
export const RENEWED_AFTER_HOURS = 1

/** A session dies when it is not used for this long, and in any case when it is this old. */
export const IDLE_DAYS_MAX = 7
export const AGE_DAYS_MAX = 30
/** Hours after which a session of the operator console is over, used or not. */
export const CONSOLE_AGE_HOURS_MAX = 12
/** How long a step-up is valid. */
export const STEP_UP_MINUTES = 5
/** Sessions of one player. A further sign-in ends the one unused the longest. */
export const SESSIONS_MAX = 50

const USER_AGENT_LENGTH_MAX = 300

/** The part of a user agent that is stored: one bounded line of printable characters. */
export function storedUserAgent(header: string | undefined): string {
  return (header ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_LENGTH_MAX)
}

// Order matters: most browsers also name the ones they descend from.
const BROWSERS: readonly [RegExp, string][] = [
  [/Zalo/i, 'Zalo'],
  [/FBAN|FBAV/, 'Facebook'],
  [/coc_coc_browser|CocCoc/i, 'Cốc Cốc'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'máy Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux|X11/, 'Linux'],
]

const firstMatch = (userAgent: string, names: readonly [RegExp, string][]) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** How a player recognises their device in the list of sessions: `Chrome trên Android`. */
export function describeDevice(userAgent: string): string {
  const browser = firstMatch(userAgent, BROWSERS)
  const system = firstMatch(userAgent, SYSTEMS)
  if (browser && system) return `${browser} trên ${system}`
  return browser ?? system ?? 'Thiết bị không xác định'
}

export type SignInOutcome = 'succeeded' | 'wrong-password' | 'wrong-second-factor'

export const SIGN_IN_DAYS_MAX = 90
/** Of one account. The log has them all. */
export const FAILED_SIGN_INS_A_DAY_MAX = 100

const countryNames = new Intl.DisplayNames(['vi'], { type: 'region' })

/** A stored place in words: a country's Vietnamese name. */
export function describePlace(place: string): string {
  if (place === 'private') return 'Mạng nội bộ'
  return /^[A-Z]{2}$/.test(place) ? (countryNames.of(place) ?? place) : 'Không rõ nơi'
}
