import { CLIENT_ERROR_LENGTHS } from '#contract/client-errors.ts'
import { SCREEN_PATHS } from '#contract/operator/screen-paths.ts'
import { pages } from '#contract/pages.ts'

/** Errors of one release that have rows of their own; further ones are counted together. */
export const ERRORS_OF_RELEASE_MAX = 200

export const CLIENT_ERROR_DAYS_MAX = 90

/** Engines that are counted apart in one row. */
export const ENGINES_MAX = 30
export const OTHER_ENGINE = 'khác'

/** What stands in place of something that may name a person. */
const HIDDEN = '…'

/** Each hides more than it has to: the place in the source says the rest. The order matters. */
const PERSONAL: readonly [RegExp, string | ((found: string, kept?: string) => string)][] = [
  // Of our own built files the name alone, so that each release has the same.
  [/https?:\/\/[^\s/]+\/(?:admin\/)?static\/(?:js\/|assets\/)?([\w.-]+?)-[\w-]+\.(js|css)\b/g, '$1.$2'],
  [/[\w-]+:\/\/\S+/g, HIDDEN],
  [/\S+@\S+/g, HIDDEN],
  // From the first mark to the last: what is quoted may have marks in it. An apostrophe within a word is none.
  [/"[^]*"|`[^]*`|[“«„][^]*[”»]/g, HIDDEN],
  [/(?<!\w)['‘][^]*['’](?!\w)/g, HIDDEN],
  // One that was cut off has no end.
  [/(?:["`“«„]|(?<!\w)['‘])[^]*$/g, HIDDEN],
  // English, code and the words of React's own messages have no such letters; names do.
  [/\S*[^\s\x20-\x7e…]\S*/g, HIDDEN],
  [/[\w-]{24,}/g, HIDDEN],
  [/(React error #\d{1,3})|\d+/g, (_found, ofReact) => ofReact ?? '#'],
]

/** A message without what may name somebody: addresses, quoted texts, numbers, tokens, words with marks. */
export function scrubbed(message: string): string {
  const text = PERSONAL.reduce<string>(
    (rest, [found, instead]) => rest.replace(found, instead as string),
    message.replace(/[\p{Cc}\p{Cs}]/gu, ' '),
  )
  return text.trim().slice(0, CLIENT_ERROR_LENGTHS.message) || HIDDEN
}

/** Frames of a report: file, line and column in built files of the sites, and nothing else. */
export const framesIn = (place: string): string[] =>
  place.match(/\b(?:admin\/)?static\/(?:js\/)?\w[\w.-]*\.js:\d{1,7}:\d{1,7}\b/g)?.slice(0, 5) ?? []

const patternsOf = (paths: readonly string[]) =>
  paths.map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\/:\w+/g, '(?:/[^/]+)').replace(/\/$/, '')}/?$`),
  }))

const PAGES = {
  player: patternsOf(
    Object.values(pages)
      .map(({ path }) => path)
      .filter((path) => path !== '*'),
  ),
  console: patternsOf(SCREEN_PATHS),
}

/** The address as the table of pages or screens writes it, without what it names; empty for one that is in neither. */
export function pageOf(site: keyof typeof PAGES, address: string): string {
  const path =
    address.replace(/[?#].*$/, '').replace(/^\/admin(?=\/|$)/, site === 'console' ? '' : '$&') || '/'
  return PAGES[site].find((one) => one.path === path || one.pattern.test(path))?.path ?? ''
}

// Order matters: most browsers also name the ones they descend from.
const ENGINES: readonly [RegExp, string][] = [
  [/Zalo/i, 'Zalo'],
  [/FBAN|FBAV/, 'Facebook'],
  [/(?:coc_coc_browser|CocCoc)\/(\d{1,3})/i, 'Cốc Cốc'],
  [/Edg(?:e|A|iOS)?\/(\d{1,3})/, 'Edge'],
  [/OPR\/(\d{1,3})/, 'Opera'],
  [/SamsungBrowser\/(\d{1,3})/, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\/(\d{1,3})/, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\/(\d{1,3})/, 'Chrome'],
  [/Version\/(\d{1,3}).*Safari\//, 'Safari'],
]

const systemOf = (userAgent: string): string =>
  /iPhone|iPad|iPod/.test(userAgent) ? ' (iOS)' : /Android/.test(userAgent) ? ' (Android)' : ''

/** Browser, its version and phone: `Chrome 109 (Android)`. No more of what it calls itself is stored. */
export function engineOf(userAgent: string): string {
  for (const [pattern, name] of ENGINES) {
    const found = pattern.exec(userAgent)
    if (found) return `${name}${found[1] === undefined ? '' : ` ${found[1]}`}${systemOf(userAgent)}`
  }
  return OTHER_ENGINE
}
