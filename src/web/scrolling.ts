import { randomId } from '#client/random-id.ts'

/** Where the pages of this tab were scrolled to, by the keys of their entries in the history. */
type Positions = Record<string, number>

const STORAGE_KEY = 'scroll-positions'

let positions: Positions = {}
let entry = ''
/** Where the page at an address is to be scrolled to when it has been drawn. */
let wanted: { pathname: string; position: number } | null = null

const entryNow = () => (history.state as { entry?: string } | null)?.entry ?? ''

/** Of a new entry of the history: what its state holds for us. */
export function beginEntry(): { entry: string } {
  entry = randomId()
  return { entry }
}

export function keepPosition(): void {
  positions[entryNow()] = scrollY
}

/** The page at this path begins at its top, or at the place that its address names. */
export function scrollToTopOf(pathname: string): void {
  wanted = { pathname, position: 0 }
}

/** Called when the page at an address has been drawn; of one page, other searches stay where they are. */
export function scrollNow(pathname: string, search: string): void {
  if (wanted?.pathname !== pathname || search !== location.search) return
  const { position } = wanted
  wanted = null
  const place = position === 0 && location.hash ? document.getElementById(location.hash.slice(1)) : null
  if (place) place.scrollIntoView()
  else scrollTo(0, position)
}

/** The page stays where it is. */
export function scrollNowhere(): void {
  wanted = null
}

/** The step back shows a page where it was left. A reload is left to the browser. Called once, by the browser's entry. */
export function watchScrolling(): void {
  positions = readPositions()
  entry = entryNow()
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    positions[entry] = scrollY
    entry = entryNow()
    wanted = { pathname: location.pathname, position: positions[entry] ?? 0 }
  })
  addEventListener('pagehide', () => {
    keepPosition()
    history.scrollRestoration = 'auto'
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions))
    } catch {
      // Where storage is forbidden, pages of an earlier document begin at their top.
    }
  })
  addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual'
  })
}

function readPositions(): Positions {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Positions
  } catch {
    return {}
  }
}
