import { createContext, useContext, useMemo, type FocusEventHandler, type ReactNode } from 'react'
import { Link, useRouter } from 'wouter'
import {
  navigate as writeHistory,
  usePathname as usePathnameOf,
  useSearch as useSearchOf,
} from 'wouter/use-browser-location'
import { createStore, useStore } from '#client/store.ts'
import { beginEntry, keepPosition, scrollNow, scrollNowhere, scrollToTopOf } from '#web/scrolling.ts'
import type { PageHandle, PageParams } from '#web/page.ts'

/**
 * The ways from page to page, over wouter: what pages, parts and the frame may use of it. A page's code is there before its
 * address is, so that the old page stays until then.
 */
export { Link } from 'wouter'
export { useHistoryState } from 'wouter/use-browser-location'

type NavigateOptions = { replace?: boolean; state?: object }

export type Navigate = (to: string, options?: NavigateOptions) => Promise<void>

/** Makes a page ready to be shown; false when its address must be opened as a document of its own. */
type Prepare = (pathname: string) => Promise<boolean>

let prepare: Prepare = async () => true
let latest = 0
let waiting: ReturnType<typeof setTimeout> | undefined

const leavingStore = createStore(false)

export const useIsLeaving = () => useStore(leavingStore)

/** Called once, by the browser's entry. */
export function connectPages(wanted: Prepare): void {
  prepare = wanted
}

/** Leads to another address of the site; for code outside React as well. What is asked for last wins. */
export const navigate: Navigate = async (to, { replace = false, state } = {}) => {
  const own = (latest += 1)
  const target = new URL(to, location.href)
  // A page whose code is there comes at once: the frame is not drawn once more for that.
  clearTimeout(waiting)
  waiting = setTimeout(() => leavingStore.set(true))
  const isOfDocument = await prepare(target.pathname)
  if (own !== latest) return
  clearTimeout(waiting)
  leavingStore.set(false)
  if (!isOfDocument) return location.assign(to)
  const isShown = target.pathname + target.search === location.pathname + location.search
  keepPosition()
  scrollToTopOf(target.pathname)
  writeHistory(to, {
    replace: replace || target.href === location.href,
    state: { ...state, ...beginEntry() },
  })
  if (isShown) scrollNow(location.pathname, location.search)
}

/** Stable, so that effects may depend on it. */
export const useNavigate = (): Navigate => navigate

/** As the address holds them: wouter's own hooks decode them, so that values would be decoded twice. */
export const usePathname = () => usePathnameOf(useRouter())
export const useSearch = () => useSearchOf(useRouter())

type SetSearch = (next: URLSearchParams | Record<string, string>, options?: { replace?: boolean }) => void

/** What the address asks for, and how to change it: the page stays where it is scrolled to. */
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

/** A link that says to screen readers, and to styles, when its page or one below it is shown. */
export function NavLink({ to, children, ...rest }: NavLinkProps) {
  const pathname = usePathname()
  const isShown = pathname === to || pathname.startsWith(`${to}/`)
  return (
    <Link {...rest} to={to} aria-current={isShown ? 'page' : undefined}>
      {children}
    </Link>
  )
}

/** The page that is shown: the values of its address, and what it says of itself. */
export type ShownPage = { params: PageParams; handle: PageHandle | undefined }

export const ShownPageContext = createContext<ShownPage>({ params: {}, handle: undefined })

export const useShownPage = () => useContext(ShownPageContext)

export const useParams = () => useShownPage().params
