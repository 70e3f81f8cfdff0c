import { createContext, useContext, useMemo, type FocusEventHandler, type ReactNode } from 'react'
import { Link, useRouter } from 'wouter'
import {
  navigate as writeHistory,
  usePathname as usePathnameOf,
  useSearch as useSearchOf,
} from 'wouter/use-browser-location'
import { randomId } from '#client/random-id.ts'
import { createStore, useStore } from '#client/store.ts'
import type { PageHandle, PageParams } from '#web/page.ts'

/**
 * Navigation on top of wouter: pages, parts and the frame use this file only. The code of a page is loaded before the address
 * changes; the old page stays until then.
 */
export { Link } from 'wouter'
export { useHistoryState } from 'wouter/use-browser-location'

type NavigateOptions = { replace?: boolean; state?: object }

export type Navigate = (to: string, options?: NavigateOptions) => Promise<void>

/** Makes a page ready to be shown; false when its address must be opened as a document of its own. */
type Prepare = (pathname: string) => Promise<boolean>

let prepare: Prepare = async () => true
let latest = 0

const leavingStore = createStore(false)

export const useIsLeaving = () => useStore(leavingStore)

/** Called once, by the browser's entry. */
export function connectPages(preparePage: Prepare): void {
  prepare = preparePage
}

/** Opens another address of the site; for code outside React as well. The latest call wins. */
export const navigate: Navigate = async (to, { replace = false, state } = {}) => {
  const own = (latest += 1)
  const url = new URL(to, location.href)
  leavingStore.set(true)
  // The bar is seen first: a slow phone renders a page for longer than a tap may be without an answer.
  const [isOfDocument] = await Promise.all([prepare(url.pathname), nextFrame()])
  if (own !== latest) return
  leavingStore.set(false)
  if (!isOfDocument) return replace ? location.replace(to) : location.assign(to)
  const isShown = url.pathname + url.search === location.pathname + location.search
  keepPosition()
  scrollToTopOf(url.pathname)
  writeHistory(to, {
    replace: replace || url.href === location.href,
    state: { ...state, ...beginEntry() },
  })
  if (isShown) scrollNow(location.pathname, location.search)
}

/** Once a frame was painted, which happens after its callbacks; soon where none is, as in a tab that nobody sees. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 5))
    setTimeout(resolve, 100)
  })

/** Stable, so that effects may depend on it. */
export const useNavigate = (): Navigate => navigate

/** Not decoded: wouter's own hooks decode them, and values would be decoded twice. */
export const usePathname = () => usePathnameOf(useRouter())
export const useSearch = () => useSearchOf(useRouter())

type SetSearch = (next: URLSearchParams | Record<string, string>, options?: { replace?: boolean }) => void

/** The query of the address, and how to change it: the page stays where it is scrolled to. */
export function useSearchParams(): [URLSearchParams, SetSearch] {
  const search = useSearch()
  return [useMemo(() => new URLSearchParams(search), [search]), writeSearch]
}

const writeSearch: SetSearch = (next, { replace = false } = {}) => {
  const search = new URLSearchParams(next).toString()
  keepPosition()
  scrollNowhere()
  const state: unknown = replace ? history.state : beginEntry()
  writeHistory(location.pathname + (search && `?${search}`), { replace, state })
}

type NavLinkProps = {
  to: string
  className?: string | undefined
  onFocus?: FocusEventHandler
  children: ReactNode
}

/** A link marked for screen readers and styles while its page, or one below it, is shown. */
export function NavLink({ to, children, ...rest }: NavLinkProps) {
  const pathname = usePathname()
  const isShown = pathname === to || pathname.startsWith(`${to}/`)
  return (
    <Link {...rest} to={to} aria-current={isShown ? 'page' : undefined}>
      {children}
    </Link>
  )
}

/** The page that is shown: the parameters of its address, and how it describes itself. */
export type ShownPage = { params: PageParams; handle: PageHandle | undefined }

export const ShownPageContext = createContext<ShownPage>({ params: {}, handle: undefined })

export const useShownPage = () => useContext(ShownPageContext)

export const useParams = () => useShownPage().params

/** Where the pages of this tab were scrolled to, by the keys of their entries in the history. */
type Positions = Record<string, number>

const STORAGE_KEY = 'scroll-positions'

let positions: Positions = {}
let entry = ''
/** Where the page at an address is to be scrolled to when it has been rendered. */
let target: { pathname: string; position: number } | null = null

const entryNow = () => (history.state as { entry?: string } | null)?.entry ?? ''

/** What each entry of the history tells the document after a reload, where nothing else can be stored. */
let note: object = {}

/** Writes a note into this entry of the history and those that follow. */
export function noteInHistory(next: object): void {
  // A dialog that closes goes back to an entry from before.
  if (Object.keys(note).length === 0) addEventListener('popstate', writeNote, { capture: true })
  note = next
  writeNote()
}

const writeNote = () => history.replaceState({ ...history.state, ...note }, '')

/** Starts an entry of the history and returns the state to store in it. */
function beginEntry(): { entry: string } {
  entry = randomId()
  return { ...note, entry }
}

function keepPosition(): void {
  positions[entryNow()] = scrollY
}

/** The page at this path begins at its top, or at the place that its address names. */
function scrollToTopOf(pathname: string): void {
  target = { pathname, position: 0 }
}

/** Called when the page at an address has been rendered; another query of the same page does not scroll. */
export function scrollNow(pathname: string, search: string): void {
  if (target?.pathname !== pathname || search !== location.search) return
  const { position } = target
  target = null
  const place = position === 0 && location.hash ? document.getElementById(location.hash.slice(1)) : null
  if (place) place.scrollIntoView()
  else scrollTo(0, position)
}

/** The page stays where it is. */
function scrollNowhere(): void {
  target = null
}

/** Going back restores the scroll position. After a reload the browser does it. Called once, by the browser's entry. */
export function watchScrolling(): void {
  positions = readPositions()
  entry = entryNow()
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    positions[entry] = scrollY
    entry = entryNow()
    target = { pathname: location.pathname, position: positions[entry] ?? 0 }
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
