import logo from '../../../public/images/logo.svg'
import { Link, usePathname } from '#web/navigation.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { pages, paths } from '#contract/pages.ts'
import { Menu } from '#web/shell/menu.tsx'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { Skeleton } from '#ui/skeleton.tsx'
import { useSession } from '#web/session/session-store.ts'
import { loadPlayerFrame, useHasPlayerFrameFailed, usePlayerFrame } from '#web/shell/load-player-frame.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'

/** One row: on a phone the rest of it is in the menu. */
export function Header() {
  const settings = useSettings()
  return (
    <header
      className={`shell-width shell-head bg-paper ${settings['logo_center'] === '1' ? 'is-centered' : ''}`}
    >
      <Logo siteName={siteNameOf(settings)} />
      <SessionBar />
      <Link
        to={paths.download}
        className={buttonClass('plain', 'justify-self-end [grid-area:download] max-md:hidden')}
      >
        <Icon name="download" />
        {pages.download.title}
      </Link>
      <Menu />
    </header>
  )
}

/** The spec's logo: at most 180 px wide, a link to the home page. */
function Logo({ siteName }: { siteName: string }) {
  return (
    <Link to={paths.home} className="shell-logo rounded-lg py-1.5">
      <img src={logo} width={540} height={170} alt={siteName} className="h-auto w-full" />
    </Link>
  )
}

/**
 * The player's name and balance, or the visitor's buttons. The server's HTML holds both the visitor's buttons and the player's placeholder, of the same
 * height; the attribute of the document selects the right one before any script has run.
 */
function SessionBar() {
  const { status, user } = useSession()
  const frame = usePlayerFrame()
  const hasFailed = useHasPlayerFrameFailed() && user !== null
  return (
    <div className="flex items-center [grid-area:session] md:min-h-13">
      {user && frame ? (
        <frame.PlayerBar user={user} />
      ) : hasFailed ? (
        <RetryPlayerBar />
      ) : (
        status !== 'anonymous' && <PlayerPlaceholder />
      )}
      {(status === 'unknown' || status === 'anonymous') && <VisitorPart />}
    </div>
  )
}

function VisitorPart() {
  return (
    <div className="while-anonymous flex w-full items-center justify-end gap-1 md:gap-2">
      <p className="mr-2 text-sm text-soft max-md:hidden">{copy.visitor.join(' ')}</p>
      <ModalLink modal="login" className={buttonClass('text', 'max-md:px-2 max-md:text-sm')}>
        {copy.login}
      </ModalLink>
      <ModalLink modal="register" className={buttonClass('main', 'max-md:px-2.5 max-md:text-sm')}>
        {copy.register}
      </ModalLink>
    </div>
  )
}

type ModalLinkProps = { modal: 'login' | 'register'; className: string; children: ReactNode }

/** Opens its modal over this page; without scripts, and in a tab of its own, it leads to the address that does. */
function ModalLink({ modal, className, children }: ModalLinkProps) {
  function open(event: MouseEvent) {
    event.preventDefault()
    openModal(modal)
  }
  return (
    <Link to={paths[modal]} className={className} data-modal={modal} onClick={open}>
      {children}
    </Link>
  )
}

/** The player's part did not arrive: it comes with a tap, or with the next page. */
function RetryPlayerBar() {
  const pathname = usePathname()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname) loadPlayerFrame()
  }, [pathname])
  return (
    <div role="alert" className="ml-auto">
      <Button kind="text" onClick={loadPlayerFrame}>
        {copy.failed.player}
      </Button>
    </div>
  )
}

function PlayerPlaceholder() {
  return (
    <div className="while-signed-in flex w-full items-center justify-end gap-3">
      <Skeleton className="h-5 w-28 max-md:hidden" />
      <Skeleton className="h-5 w-24" />
      <Skeleton className="size-9" />
      <Skeleton className="size-9 max-md:hidden" />
      <Skeleton className="size-9 max-md:hidden" />
    </div>
  )
}
