import { paths } from '#contract/pages.ts'
/** How long a mailed link opens. */
export const LINK_MINUTES_MAX = 30

/** What we hand out: 256 random bits. Anything else was never a token and need not be looked for. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const linkTo = (publicUrl: string, token: string): string => publicUrl + paths.password(token)
