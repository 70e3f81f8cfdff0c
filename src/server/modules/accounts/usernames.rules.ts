/**
 * The form by which login, payee and referral know a player, or null for a text that can be nobody's name. Names are
 * ASCII: without this check a look-alike such as the Kelvin sign would fold into a letter of somebody else's name.
 */
export function usernameKey(text: string): string | null {
  return /^[A-Za-z0-9]{5,20}$/.test(text) ? text.toLowerCase() : null
}

/** Titles of staff by which players could be deceived. */
const TITLES =
  'admin|administrator|operator|support|supporter|moderator|mod|gm|gamemaster|quantri|quantrivien|banquantri|hotro|cskh'

/**
 * Whether a name poses as staff: a title alone, or with the site's name, `game`, `vn` or a number beside it. Names that
 * only begin alike (`modan12`, `hotrong`, `adminh5`) are anybody's.
 */
export function isStaffName(username: string, siteName: string): boolean {
  const site = siteName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/[^a-z0-9]/g, '')
  const beside = ['game', 'ninja', 'vn', ...(site === '' ? [] : [site])].join('|')
  const posing = new RegExp(
    `^(?:(?:${beside})?(?:${TITLES})(?:${beside})?\\d*|${site === '' ? '(?!)' : site}\\d*)$`,
  )
  return posing.test(username.toLowerCase())
}
