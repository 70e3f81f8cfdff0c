import type { Figures } from './figures.ts'

/** Where most first visits begin, and the pages with the most on them. */
export const MEASURED_PAGES = [
  '/home',
  '/post/1',
  '/download',
  '/gem-calculator',
  '/tournament/4',
  '/ranking',
] as const

const SCORE_MIN = 98

/** Scripts by gzip, in bytes. The browser tests hold the same. */
export const SCRIPT_GZIP_MAX = 110_000
/** For a visit that ends at a form. */
export const FORM_SCRIPT_GZIP_MAX = 130_000
/** With what follows a tournament live. */
export const TOURNAMENT_SCRIPT_GZIP_MAX = 118_000
export const REQUESTS_MAX = 22
/** Everything that a first visit to `/home` fetches. */
export const HOME_BYTES_MAX = 170_000

type Most = Partial<Omit<Figures, 'score'>>

const MOST: Most = {
  lcp_ms: 1_400,
  tbt_of_scripts_ms: 100,
  cls: 0.01,
  script_gzip_bytes: SCRIPT_GZIP_MAX,
  requests: REQUESTS_MAX,
}

/** Where a page has bounds of its own. The calculator is a form, and a visitor of the ranking is shown the one to log in. */
const MOST_OF: Record<string, Most> = {
  '/home': { lcp_ms: 1_200, bytes: HOME_BYTES_MAX, requests: 18 },
  '/gem-calculator': { script_gzip_bytes: FORM_SCRIPT_GZIP_MAX },
  '/tournament/4': { script_gzip_bytes: TOURNAMENT_SCRIPT_GZIP_MAX },
  '/ranking': { script_gzip_bytes: FORM_SCRIPT_GZIP_MAX },
}

/** The goals that a page misses, in words. */
export function missedGoals(path: string, figures: Figures): string[] {
  const most = { ...MOST, ...MOST_OF[path] }
  const tooMuch = (Object.entries(most) as [keyof Most, number][])
    .filter(([name, bound]) => !(figures[name] <= bound))
    .map(([name, bound]) => `${name} ${figures[name]} is more than ${bound}`)
  return figures.score >= SCORE_MIN
    ? tooMuch
    : [`score ${figures.score} is less than ${SCORE_MIN}`, ...tooMuch]
}
