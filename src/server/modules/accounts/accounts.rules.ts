import { secretLength } from '#contract/fields.ts'
import type { BanScope } from '#contract/users.ts'
import { skeletonOf } from '#server/domain/name-skeleton.rules.ts'

/**
 * The form by which login, payee and referral know a player, or null for a text that can be nobody's name. Names are
 * ASCII: without this check a look-alike such as the Kelvin sign would become a letter of somebody else's name.
 */
export function usernameKey(text: string): string | null {
  return /^[A-Za-z0-9]{5,20}$/.test(text) ? text.toLowerCase() : null
}

/** Titles of staff and words about payments, by which players could be deceived. None is a part of people's names. */
const TITLES =
  'admin administrator operator support supporter moderator mod smod gm gamemaster owner staff helpdesk hotline webmaster noreply official system quantri quantrivien banquantri banquanly bantochuc bandieuhanh trongtai nhaphathanh chinhthuc hethong hotro cskh chamsockhachhang ketoan ketoantruong napthe naptien naptcoin napcoin napluong napxu doithe'

/** Words beside a title that do not change its meaning. */
const BESIDE =
  'game ninja vn viet portal cong web app team server tcoin momo vietcombank vcb acb bank nganhang thanhtoan giaodich dichvu khachhang kythuat kithuat taichinh baomat taikhoan uytin the real 24h'

/** The portal's own name, whatever its owner calls the site. */
const PORTAL_NAME = 'congninja'

const inLetters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/[^a-z0-9]/g, '')

/** Characters that are taken for each other at a glance; one of them replaces the others, in names and in words. */
const LOOK_ALIKES: readonly [RegExp, string][] = [
  [/vv/g, 'w'],
  [/rn/g, 'm'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/[1l]/g, 'i'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/[69]/g, 'g'],
]

const withoutLookAlikes = (text: string) =>
  LOOK_ALIKES.reduce((rest, [pattern, letter]) => rest.replace(pattern, letter), text)

/** As a name may be meant: digits at its ends or anywhere are numbers, or stand for letters. */
function readingsOf(username: string): string[] {
  const name = username.toLowerCase()
  const parts = [name, name.replace(/\d+$/, ''), name.replace(/^\d+/, ''), name.replace(/^\d+|\d+$/g, '')]
  return [...new Set([...parts.map(withoutLookAlikes), withoutLookAlikes(name.replace(/\d/g, ''))])]
}

const anyOf = (words: readonly string[]) => words.map(withoutLookAlikes).join('|')

function reservedNames(siteName: string): string[] {
  const site = inLetters(siteName)
  return [PORTAL_NAME, ...(site === '' ? [] : [site])]
}

/** A title, alone or with words like it. */
function titleRule(siteName: string): RegExp {
  const titles = anyOf(TITLES.split(' '))
  const any = `${titles}|${anyOf([...BESIDE.split(' '), ...reservedNames(siteName)])}`
  return new RegExp(`^(?:${any})*(?:${titles})(?:${any})*$`)
}

/**
 * Whether a name poses as staff or as the portal: a title, alone or with words like it, the site's name, `vn` or numbers
 * beside it; the portal's name at its beginning; anything with `admin`. Names that only begin alike (`modan12`, `hotrong`)
 * are anybody's.
 */
export function isStaffName(username: string, siteName: string): boolean {
  const reserved = reservedNames(siteName)
  const posing = titleRule(siteName)
  return readingsOf(username).some(
    (reading) =>
      posing.test(reading) ||
      reserved.some((name) => {
        const folded = withoutLookAlikes(name)
        return reading === folded || (name.length > 7 && reading.startsWith(folded))
      }) ||
      reading.replaceAll('badminton', '').includes('admin'),
  )
}

/** Short forms, which are also anybody's initials in a login name. */
const SHORT_TITLES = /^(?:bqt|btc)$/

/** Words and letters of a title that stand apart: `Quản trị viên`, `G M`. */
const APART_MAX = 16

/** What a reader may take together in a name: words beside each other, a number at an end of them or not, `!` as it looks. */
function partsOf(name: string): string[] {
  const spellings = [name, name.replaceAll('!', 'i')].map((one) => one.split(/[^\p{L}\p{M}\p{N}]+/u))
  const joined = spellings.flatMap((words) =>
    words.flatMap((_, from) =>
      words.slice(from, from + APART_MAX).map((__, more) => words.slice(from, from + more + 1).join('')),
    ),
  )
  const parts = new Set(joined.flatMap((part) => [part, part.replace(/^\d+|\d+$/g, '')]))
  return [...parts].map((part) => withoutLookAlikes(skeletonOf(part)))
}

/** The same of a name with blanks, marks and signs: as a whole, and with a title anywhere in it, as in `GM Hùng` and `Đội hỗ trợ`. */
export function posesAsStaff(name: string, siteName: string): boolean {
  if (isStaffName(skeletonOf(name), siteName)) return true
  const posing = titleRule(siteName)
  return partsOf(name).some((part) => posing.test(part) || SHORT_TITLES.test(part))
}

type NewPassword = { username: string; password: string }

/**
 * Why a new password is refused, as a sentence for the player; null when it is fine. Compared without case, since
 * guessers try `Password` right after `password`; what is stored and checked at login stays exact.
 */
export function passwordFault(
  { username, password }: NewPassword,
  common: ReadonlySet<string>,
): string | null {
  const folded = password.toLowerCase()
  if (folded === username.toLowerCase()) return 'Mật khẩu không được trùng với tên đăng nhập'
  if (common.has(folded)) return 'Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác'
  return null
}

const OPERATOR_PASSWORD_LENGTH_MIN = 12

export const isLongPassword = (password: string): boolean =>
  secretLength(password) >= OPERATOR_PASSWORD_LENGTH_MIN

/** Why an operator's new password is refused, beyond what holds for every player's; null when it is fine. */
export function operatorPasswordFault(password: string): string | null {
  return isLongPassword(password)
    ? null
    : `Mật khẩu của người vận hành phải có ít nhất ${OPERATOR_PASSWORD_LENGTH_MIN} ký tự`
}

/** libuv's default number of threads. */
const THREADS_BY_DEFAULT = 4
/** Left to files and compression, which share the threads with the hashes. */
const THREADS_FOR_OTHERS = 2

/** How many passwords may be hashed at once: one core and two threads are left to everything else. */
export function hashesAtOnce(cores: number, threads = THREADS_BY_DEFAULT): number {
  return Math.max(1, Math.min(cores - 1, threads - THREADS_FOR_OTHERS))
}

/** The same for an import, in which nobody waits to sign in; connecting to the database takes one of the threads too. */
export function importHashesAtOnce(cores: number, threads = THREADS_BY_DEFAULT): number {
  return Math.max(1, Math.min(cores, threads - 1))
}

export type Credentials = {
  id: string
  username: string
  serverId: string
  passwordHash: string
  banUntil: Date | null
  banReason: string | null
}

/** What a login of the game depends on. `bannedUntil` is the end of a ban of signing in that runs. */
export type GameAccount = {
  id: string
  username: string
  passwordHash: string
  bannedUntil: Date | null
  isActivated: boolean
}

/** As stored: a ban whose end has passed has no effect. */
export type StoredBan = { until: Date | null; reason: string | null }

export type StoredBans = Record<BanScope, StoredBan>
