import { type PageEntry, pages, paths, postSearch } from '#contract/pages.ts'

/** The page behind a requested address. */
export type FoundPage = {
  /** The canonical form of the address; every other one redirects to it. */
  canonical: string
  /** The address that is rendered, and the cache's key. */
  rendered: string
  /** Visitors cannot choose any part of `rendered`, so there are only as many of these as the site has pages. */
  isFixed: boolean
  /** Rendered in its place when it is known that nothing has the ids of the address. */
  missing: string
  /** Visitors choose any text of it: rendered at each request, and not cached. */
  isSearch?: true
}

type Known = { segments: string[]; isOpen: boolean; isSearch: true | undefined }

/** Rendered for every unknown address; no page has it. */
const UNKNOWN = '/unknown-address'
const ID = /^[1-9]\d{0,17}$/
/** Rendered for malformed ids; no row has it. */
const NO_ID = '0'

const known = Object.values(pages)
  .filter(({ path }) => path !== pages.unknown.path)
  .flatMap(knownOf)
  // Fixed addresses are tried before those with parameters, as that of claims before those of orders.
  .sort((one, other) => parametersOf(one) - parametersOf(other))

/** The page behind an address; undefined when there is none of that shape. */
export function findPage(address: string): FoundPage | undefined {
  const raw = address.split('/').filter((segment) => segment !== '')
  const decoded = raw.map(decode)
  const page = known.find(({ segments }) => fits(segments, decoded))
  return page && found(page, raw, decoded)
}

export const unknownPage = (address: string): FoundPage => ({
  canonical: address,
  rendered: UNKNOWN,
  isFixed: true,
  missing: UNKNOWN,
})

/** Where the form of a search leads that a browser without scripts has sent. */
export function searchAddress(path: string, query: string | undefined): string | undefined {
  if (query === undefined || path !== paths.search()) return undefined
  const words = postSearch(new URLSearchParams(query).get('q') ?? '')
  return words === '' ? undefined : paths.search(encodeURIComponent(words))
}

function knownOf({ path, access, isSearch }: PageEntry): Known[] {
  const segments = path.split('/').slice(1)
  const isOpen = access === 'open'
  const last = segments.at(-1) ?? ''
  if (!last.endsWith('?')) return [{ segments, isOpen, isSearch }]
  const before = segments.slice(0, -1)
  return [
    { segments: before, isOpen, isSearch },
    { segments: [...before, last.slice(0, -1)], isOpen, isSearch },
  ]
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

function parametersOf({ segments }: Known): number {
  return segments.filter(isParameter).length
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function fits(segments: readonly string[], requested: readonly string[]): boolean {
  return (
    segments.length === requested.length &&
    segments.every((segment, index) => isParameter(segment) || segment === requested[index]?.toLowerCase())
  )
}

function found({ segments, isOpen, isSearch }: Known, raw: string[], decoded: string[]): FoundPage {
  const write = (valueAt: (index: number) => string | undefined) =>
    `/${segments.map((segment, index) => (isParameter(segment) ? valueAt(index) : segment)).join('/')}`
  const asRequested = write((index) => raw[index])
  // The server renders the same for all players, and a mailed link is a secret: neither rendering depends on the
  // parameters of the address.
  if (!isOpen || !segments.some(isParameter)) {
    const rendered = write((index) => segments[index]?.slice(1))
    return { canonical: asRequested, rendered, isFixed: true, missing: rendered }
  }
  if (isSearch) {
    const canonical = write((index) => encodeURIComponent(postSearch(decoded[index] ?? '')))
    return { canonical, rendered: canonical, isFixed: false, missing: canonical, isSearch }
  }
  const isPossible = segments.every(
    (segment, index) => !isParameter(segment) || ID.test(decoded[index] ?? ''),
  )
  const missing = write(() => NO_ID)
  if (!isPossible) return { canonical: asRequested, rendered: missing, isFixed: true, missing }
  const canonical = write((index) => decoded[index])
  return { canonical, rendered: canonical, isFixed: false, missing }
}
