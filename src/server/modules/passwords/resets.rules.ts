import { paths } from '#contract/pages.ts'
/** How long a mailed link opens. */
export const LINK_MINUTES_MAX = 30

/** Our tokens have 256 random bits. Anything else is not a token and is not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const linkTo = (publicUrl: string, token: string): string => publicUrl + paths.password(token)
