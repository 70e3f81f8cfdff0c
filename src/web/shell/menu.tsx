import { useEffect, useRef } from 'react'
import { pages, paths } from '#contract/pages.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { enterDialog } from '#ui/open-dialogs.ts'
import { Link } from '#web/navigation.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import { useSession } from '#web/session/session-store.ts'
import type { InstallHintProps } from '#web/parts/install/install-hint.tsx'
import { useInstallOffer } from '#web/parts/install/install-offer.ts'
import { usePlayerFrame } from '#web/shell/load-player-frame.ts'
import { MenuLink } from '#web/parts/navigation/links.tsx'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'

const InstallHint = lazyComponent<InstallHintProps>(() =>
  import('#web/parts/install/install-hint.tsx').then((part) => part.InstallHint),
)

const MENU_ID = 'menu'

const { download, ranking, tournaments, gemCalculator } = pages

const entries: readonly { label: string; to: string; icon: IconName }[] = [
  { label: download.title, to: download.path, icon: 'download' },
  { label: ranking.title, to: ranking.path, icon: 'people' },
  { label: tournaments.title, to: tournaments.path, icon: 'calendar' },
  { label: gemCalculator.title, to: gemCalculator.path, icon: 'gem' },
]

const texts = (['terms', 'privacy', 'refunds'] as const).map((kind) => ({
  label: pages[kind].title,
  to: paths[kind](),
}))

const canPopOver = (element: HTMLElement) => 'popover' in element

/** For browsers before 2024, in which the menu opens by script. */
function toggleByHand(panel: HTMLElement | null): void {
  if (!panel || canPopOver(panel)) return
  panel.toggleAttribute('data-open')
  panel.dispatchEvent(new Event('toggle'))
}

const isOpen = (panel: HTMLElement) =>
  canPopOver(panel) ? panel.matches(':popover-open') : 'open' in panel.dataset

function close(panel: HTMLElement): void {
  if (canPopOver(panel)) panel.hidePopover()
  else if (isOpen(panel)) toggleByHand(panel)
}

/** The back button closes it, like a dialog. It may have been opened before the scripts came. */
function countAmongDialogs(panel: HTMLElement): () => void {
  let leave: (() => void) | null = null
  const follow = () => {
    leave?.()
    leave = isOpen(panel) ? enterDialog({ close: () => close(panel) }) : null
  }
  follow()
  panel.addEventListener('toggle', follow)
  return () => {
    panel.removeEventListener('toggle', follow)
    leave?.()
  }
}

/**
 * On phones: what header and tab bar have no room for. The browser's own popover, so that it opens before scripts are loaded,
 * and Escape or a tap beside it closes it.
 */
export function Menu() {
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = panel.current
    if (!element) return
    const leave = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('a, button')) close(element)
    }
    element.addEventListener('click', leave)
    const forget = countAmongDialogs(element)
    return () => {
      element.removeEventListener('click', leave)
      forget()
    }
  }, [])

  return (
    <>
      <button
        type="button"
        popoverTarget={MENU_ID}
        className="menu-button rounded-lg hover:bg-sunken"
        onClick={() => toggleByHand(panel.current)}
      >
        <Icon name="menu" className="size-6" />
        <span className="sr-only">{copy.menu}</span>
      </button>
      <div ref={panel} id={MENU_ID} popover="auto" className="menu">
        <Entries />
      </div>
    </>
  )
}

function Entries() {
  const { user } = useSession()
  const frame = usePlayerFrame()
  const offer = useInstallOffer()
  return (
    <nav aria-label={copy.menu} className="flex flex-col gap-1 p-4">
      <div className="mb-1 flex items-center justify-between gap-3">
        {user && frame ? (
          <frame.Greeting user={user} />
        ) : (
          <p className="text-lg font-bold">{copy.visitor.join(' ')}</p>
        )}
        <button
          type="button"
          popoverTarget={MENU_ID}
          popoverTargetAction="hide"
          className="grid size-11 shrink-0 place-items-center rounded-lg text-soft hover:bg-sunken"
        >
          <Icon name="close" />
          <span className="sr-only">{copy.closeMenu}</span>
        </button>
      </div>
      {offer && <InstallHint offer={offer} />}
      {user && frame && <frame.PlayerEntries />}
      <ul className="grid grid-cols-2 gap-x-3">
        {entries.map(({ label, to, icon }) => (
          <li key={to}>
            <MenuLink to={to} icon={icon}>
              {label}
            </MenuLink>
          </li>
        ))}
      </ul>
      <ul className="mt-1 flex flex-wrap gap-x-5 border-t border-line pt-1 text-sm text-soft">
        {texts.map(({ label, to }) => (
          <li key={to}>
            <Link to={to} className="flex min-h-11 items-center">
              {label}
            </Link>
          </li>
        ))}
      </ul>
      {user && frame && <frame.LogOutEntry />}
    </nav>
  )
}
