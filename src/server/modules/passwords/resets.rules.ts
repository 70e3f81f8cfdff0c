import { paths } from '#contract/pages.ts'

/** How long a mailed link opens. */
export const LINK_MINUTES_MAX = 30

export const linkTo = (publicUrl: string, token: string): string => publicUrl + paths.password(token)
