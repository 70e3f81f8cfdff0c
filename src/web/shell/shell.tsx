import { useEffect, useSyncExternalStore, useRef, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useIsLeaving, useShownPage, usePathname } from '#web/navigation.tsx'
import { outcomeCopy, showToast } from '#web/parts/outcomes/announce.ts'
import { PixelHost } from '#web/parts/pixel/pixel-host.tsx'
import { DialogHost } from '#web/shell/dialog-host.tsx'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { Footer } from '#web/shell/footer.tsx'
import { Header } from '#web/shell/header.tsx'
import { PlayerBanner } from '#web/shell/player-banner.tsx'
import { useFreshSettings, useSettings, readSiteName } from '#web/parts/settings/settings.ts'
import { ToastHost } from '#client/toasts.tsx'
import { useSession } from '#web/session/session-store.ts'
import { TopNav } from '#web/shell/top-nav.tsx'
import { PublicLinks } from '#web/parts/fallbacks/fallbacks.tsx'
import { Host } from '#web/host.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import { Waiting } from '#ui/waiting.tsx'
import type { TextNoticeProps } from '#web/parts/consents/text-notice.tsx'

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const isFrameless = useShownPage().handle?.isFrameless
  const { isError } = useFreshSettings()

  useEffect(() => {
    if (isError) showToast(outcomeCopy.defaultFailure)
  }, [isError])

  if (isFrameless) {
    return (
      <>
        <main id="main">{children}</main>
        <DocumentTitle />
      </>
    )
  }
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30 focus:rounded-lg focus:bg-fill focus:px-4 focus:py-3 focus:text-on-fill"
      >
        {copy.skip}
      </a>
      <Bars>
        <Host failed={copy.failed.head}>
          <Header />
        </Host>
        <Host failed={copy.failed.nav}>
          <TopNav />
        </Host>
      </Bars>
      <Host>
        <OfflineStrip />
        <MaintenanceStrip />
      </Host>
      <Bars>
        <Host>
          <PlayerBanner />
        </Host>
      </Bars>
      <main id="main" tabIndex={-1} className="min-h-[calc(100vh-6rem)] md:min-h-[60vh] outline-none">
        {children}
      </main>
      <Host failed={copy.failed.foot}>
        <Footer />
      </Host>
      <Host>
        <PixelHost />
      </Host>
      <Host>
        <TextNoticeHost />
      </Host>
      <Host>
        <DialogHost />
      </Host>
      <Host>
        <ToastHost className="toast" />
      </Host>
      <Host>
        <DocumentTitle />
      </Host>
      <LeavingBar />
    </>
  )
}

/** Alone and last: the frame is not rendered for it, and the browser computes no other element's style again. */
const LeavingBar = () => (useIsLeaving() ? <Waiting /> : null)

/** Left out on pages for one task. Visitors, who are redirected from there, see them from the first paint on. */
function Bars({ children }: { children: ReactNode }) {
  const { status } = useSession()
  if (!useShownPage().handle?.isFocused || status === 'anonymous') return children
  return status === 'unknown' ? <div className="while-anonymous contents">{children}</div> : null
}

/** What operators have closed, why, and until when: a line of the server's for each. */
function MaintenanceStrip() {
  const notices = useSettings()['maintenance']
  if (!notices) return null
  return (
    <output className="block bg-fill px-4 py-2 text-center text-balance whitespace-pre-line text-on-fill">
      {notices}
      <PublicLinks />
    </output>
  )
}

function OfflineStrip() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  if (isOnline) return null
  return (
    <output className="offline-strip block border-b border-line bg-sunken px-4 py-2 text-center text-sm text-balance">
      {copy.offline}
    </output>
  )
}

function subscribe(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

const TextNotice = lazyComponent<TextNoticeProps>(() =>
  import('#web/parts/consents/text-notice.tsx').then((part) => part.TextNotice),
)

/** For players who have not agreed to a text in force. */
function TextNoticeHost() {
  // A server process of the previous release does not send this field.
  const texts = useSession().user?.unread_texts ?? []
  return texts.length > 0 ? <TextNotice texts={texts} /> : null
}

/** Keeps the document's title in step with the page, and moves the focus to a new page for screen readers and the keyboard. */
function DocumentTitle() {
  const client = useQueryClient()
  const { handle, params } = useShownPage()
  const pathname = usePathname()
  const shownPath = useRef(pathname)

  // It may depend on reads. Not by rendering this again: that would stop React while it hydrates the page.
  useEffect(() => {
    let written = ''
    const write = () => {
      const head = handle?.head({ client, params })
      const siteName = readSiteName(client)
      const title = head && (head.title === siteName ? siteName : `${head.title} — ${siteName}`)
      // What a browser that translates pages has made of it stays.
      if (title && title !== written) document.title = written = title
    }
    write()
    return client.getQueryCache().subscribe(write)
  }, [client, handle, params])

  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [pathname])

  return null
}
