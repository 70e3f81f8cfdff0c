import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useLocation, useMatches, useNavigate, useNavigation } from 'react-router'
import { Dialog } from '#admin/kit/dialog.tsx'
import { drawings } from '#admin/kit/drawings.tsx'
import { actOfKey, keysOfScreen } from '#admin/kit/screen-keys.ts'
import { useDocumentTitle } from '#admin/kit/screen.tsx'
import { type Screen, screens } from '#admin/screens.ts'
import { signOut, useMay, useOperator } from '#admin/session/console-session.ts'
import { Button } from '#ui/button.tsx'
import { Boundary } from '#ui/failure.tsx'
import { Drawing, Icon } from '#ui/icon.tsx'
import { enterDialog } from '#ui/open-dialogs.ts'
import { Waiting } from '#ui/waiting.tsx'
import { useAskedAct } from './asked-act.ts'
import { consoleCopy } from './console.copy.ts'
import { Menu } from './menu.tsx'
import { SearchBox } from './search-box.tsx'

const entries = Object.values<Screen>(screens)

/** Moves the focus to a newly opened screen: its first control is one Tab away, and screen readers read on there. */
function useFocusOfScreen(main: RefObject<HTMLElement | null>, pathname: string) {
  const shown = useRef(pathname)
  // Before the screen is painted: a key pressed as soon as it is visible moves the focus on from there.
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [main, pathname])
}

/** Menu and head around every screen. On a phone the menu is behind a button. */
export function Frame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const { isMenuOpen, setMenuOpen } = useMenu(pathname)
  const [areKeysShown, setKeysShown] = useState(false)
  const may = useMay()
  const offered = entries.filter(({ permission }) => permission === null || may(permission))
  const main = useRef<HTMLElement>(null)
  useFocusOfScreen(main, pathname)
  useAskedAct(main)
  const isLeaving = useNavigation().state !== 'idle'
  const matched = useMatches().at(-1)?.pathname
  useDocumentTitle(entries.find(({ path }) => path === matched)?.title)
  useKeys({ screens: offered, onHelp: () => setKeysShown(true) })

  return (
    <div className="console" data-menu={isMenuOpen ? '' : undefined}>
      {isLeaving && <Waiting />}
      <a href="#main" className="skip-link" onClick={() => main.current?.focus()}>
        {consoleCopy.skip}
      </a>
      <header className="console-head">
        <button
          type="button"
          className="grid size-11 place-items-center rounded-lg hover:bg-on-night/10 lg:hidden"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          aria-label={consoleCopy.openMenu}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Drawing path={drawings.menu} />
        </button>
        <Link to="/" className="seal px-2.5 py-1.5 text-sm whitespace-nowrap no-underline">
          {consoleCopy.name}
        </Link>
        <div className="min-w-0 grow">
          <Boundary of={pathname}>
            <SearchBox screens={offered} />
          </Boundary>
        </div>
        <Boundary of={pathname}>
          <Account onKeys={() => setKeysShown(true)} />
        </Boundary>
      </header>
      <Menu
        screens={offered}
        pathname={pathname}
        // Before a link of it writes to the history, where an open menu has an entry.
        onLeave={() => flushSync(() => setMenuOpen(false))}
      />
      <main id="main" ref={main} tabIndex={-1} className="console-main">
        {offered.some(({ group }) => group !== undefined) ? children : <p>{consoleCopy.noScreen}</p>}
      </main>
      {areKeysShown && <KeysDialog screens={offered} onClose={() => setKeysShown(false)} />}
    </div>
  )
}

/** The menu of a phone: open on one screen only, and closed by the back button like a dialog. */
function useMenu(pathname: string) {
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isMenuOpen = openAt === pathname
  useLayoutEffect(
    () => (isMenuOpen ? enterDialog({ close: () => setOpenAt(null) }) : undefined),
    [isMenuOpen],
  )
  return { isMenuOpen, setMenuOpen: (isOpen: boolean) => setOpenAt(isOpen ? pathname : null) }
}

function Account({ onKeys }: { onKeys: () => void }) {
  const { username } = useOperator()
  return (
    <details className="console-account">
      <summary>
        <Icon name="user" />
        <span className="max-sm:sr-only">{username}</span>
      </summary>
      <div>
        <p className="px-3 py-2 text-sm text-soft">{username}</p>
        <Button kind="plain" className="max-lg:hidden" onClick={onKeys}>
          {consoleCopy.help}
        </Button>
        <a href="/home" className="px-3 py-2">
          {consoleCopy.playerSite}
        </a>
        <Button kind="plain" onClick={() => void signOut()}>
          {consoleCopy.signOut}
        </Button>
      </div>
    </details>
  )
}

/** How long after `g` a letter still counts. */
const CHORD_MS = 1_500

/** A checkbox takes no letters: after a click on it the keys of the list still work. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))

/** `/` goes to the search box, `g` and a letter to a screen, `?` shows the keys; any other is the screen's. Not while somebody types or a dialog is open. */
function useKeys({ screens, onHelp }: { screens: readonly Screen[]; onHelp: () => void }): void {
  const navigate = useNavigate()
  // Before the screen is painted: a key pressed as soon as it is visible counts already.
  useLayoutEffect(() => {
    let chordSince = -Infinity
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target))
        return
      if (document.querySelector('dialog[open]')) return
      const isChord = event.timeStamp - chordSince < CHORD_MS
      chordSince = event.key === 'g' && !isChord ? event.timeStamp : -Infinity
      const screen = isChord ? screens.find(({ letter }) => letter === event.key) : undefined
      const search = document.querySelector<HTMLElement>('[data-search]')
      if (screen) void navigate(screen.path)
      else if (event.key === '/' && search) search.focus()
      else if (event.key === '?') onHelp()
      else if (isChord || !actOfKey(event.key)) return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [screens, onHelp, navigate])
}

const copy = consoleCopy.keys

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded border border-line-strong bg-sunken px-1.5 font-bold">{children}</kbd>
)

export function KeysDialog({ screens, onClose }: { screens: readonly Screen[]; onClose: () => void }) {
  return (
    <Dialog title={copy.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <dt>
          <Key>/</Key>
        </dt>
        <dd>{copy.search}</dd>
        <dt>
          <Key>?</Key>
        </dt>
        <dd>{copy.help}</dd>
        {Object.entries(keysOfScreen()).map(([key, { label }]) => (
          <div key={key} className="contents">
            <dt>
              <Key>{key}</Key>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        {screens.map(({ path, title, letter }) =>
          letter === undefined ? null : (
            <div key={path} className="contents">
              <dt>
                <Key>g</Key> {copy.followedBy} <Key>{letter}</Key>
              </dt>
              <dd>
                {copy.go} {title}
              </dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  )
}
