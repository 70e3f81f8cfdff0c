/** Fixed figures of the product (spec §9). Times are milliseconds unless the name has another unit. */
/** The query value of an invitation's link, and the cookie that stores it. */
export const REFERRAL_NAME = 'referral_id'
export const REFERRAL_COOKIE_SECONDS = 604_800
/** The server's time in milliseconds, with each answer of the API. */
export const SERVER_TIME_HEADER = 'x-server-time'
export const SESSION_STORAGE_KEY = 'auth-react-v'
/** The welcome splash: when it was last closed, how long it then stays away, and how long it waits at its end. */
export const HELLO_STORAGE_KEY = 'lastSeenHello'
/** A purchase of this tab that was sent and is not answered yet. */
export const ATTEMPT_STORAGE_KEY = 'open-attempt'
export const HELLO_INTERVAL_MS = 432_000_000
export const HELLO_COUNTDOWN_S = 3
export const REFETCH_INTERVAL_MS = 10_000
export const TOAST_TIMEOUT_MS = 3_000
export const TOAST_TEXT_MAX = 110
export const MODAL_FADE_MS = 300
export const LAZY_CHUNK_TIMEOUT_MS = 120_000
/** How many of the newest posts the home page shows. */
export const HOME_POST_COUNT = 12
/** How many of its newest posts a category answers with. Its page shows one less, so as to know of older ones. */
export const CATEGORY_POST_COUNT = 50
export const DEFAULT_SERVER_ID = '1'

/** Payment channels a player can pick (spec §3). */
export const CHANNEL_MOMO = 1
export const CHANNEL_VIETCOMBANK = 2
export const CHANNEL_ACB = 3

/** What players see of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'refunded'] as const

/** Why an order that was paid bought nothing. */
export const NOT_BOUGHT_REASONS = [
  'price-changed',
  'character-gone',
  'banned',
  'not-activated',
  'coins-missing',
  'cancelled',
  'late',
] as const

export type NotBought = (typeof NOT_BOUGHT_REASONS)[number]

/** Orders of one player that may wait for money at once. */
export const OPEN_ORDERS_MAX = 3

/** One-time codes by SMS (spec §9), and what the message costs its sender on Viettel; others charge about the same. */
export const OTP_LENGTH = 6
export const SMS_SHORT_CODE = '7039'
export const SMS_OTP_TEXT = 'THN OTP'
export const SMS_PRICE_VND = 1_000

/** Who a game is for, as the law names its classes. */
export const AGE_CLASSES = ['00+', '12+', '16+', '18+'] as const

export type AgeClass = (typeof AGE_CLASSES)[number]

/** While nobody has set another one (spec §9). */
export const USUAL_AGE_CLASS: AgeClass = '12+'

/** The sentences that stand under every page and every mail. */
export function ageNotice(ageClass: string): string {
  const players = ageClass === '00+' ? 'mọi lứa tuổi' : `người chơi từ ${parseInt(ageClass)} tuổi trở lên`
  return `Game dành cho ${players}. Chơi quá 180 phút một ngày sẽ ảnh hưởng xấu đến sức khỏe.`
}

/** The message of NOT_ACTIVATED, which pages also show before a call. */
export const NOT_ACTIVATED_TEXT = 'Vui lòng kích hoạt tài khoản để sử dụng tính năng giao dịch'

/** Unread notices are counted up to here. */
export const UNREAD_MAX = 100

/** How many rows of a ranking are shown; a player's own row is returned beyond them too. */
export const RANKING_ROWS = 100

/** How far the board of each server is read: enough for most players to find their own place; bounds what a refresh costs. */
export const RANKING_DEPTH = 5_000

/** How a promotion adds TCoin: a share, a fixed amount, or by steps. */
export const PROMOTION_KINDS = ['percent', 'fixed', 'steps'] as const
