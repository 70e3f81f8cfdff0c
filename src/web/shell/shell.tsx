import { useEffect, type ReactNode } from 'react'
import { useIsLeaving, useShownPage } from '#web/navigation.tsx'
import { outcomeCopy } from '#web/parts/outcomes/outcomes.copy.ts'
import { PixelHost } from '#web/parts/pixel/pixel-host.tsx'
import { DialogHost } from '#web/shell/dialog-host.tsx'
import { DocumentTitle } from '#web/shell/document-title.tsx'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { Footer } from '#web/shell/footer.tsx'
import { Header } from '#web/shell/header.tsx'
import { MaintenanceStrip } from '#web/shell/maintenance-strip.tsx'
import { OfflineStrip } from '#web/shell/offline-strip.tsx'
import { PlayerBanner } from '#web/shell/player-banner.tsx'
import { useFreshSettings } from '#web/parts/settings/settings.ts'
import { TextNoticeHost } from '#web/shell/text-notice-host.tsx'
import { ToastHost } from '#web/shell/toast-host.tsx'
import { showToast } from '#web/parts/outcomes/toast-store.ts'
import { useSession } from '#web/session/session-store.ts'
import { TopNav } from '#web/shell/top-nav.tsx'

/** The frame around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const isLeaving = useIsLeaving()
  const { isError } = useFreshSettings()

  useEffect(() => {
    if (isError) showToast(outcomeCopy.defaultFailure)
  }, [isError])

  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30 focus:rounded-lg focus:bg-fill focus:px-4 focus:py-3 focus:text-on-fill"
      >
        {copy.skip}
      </a>
      {isLeaving && <div className="nav-progress" />}
      <Bars>
        <Header />
        <TopNav />
      </Bars>
      <OfflineStrip />
      <MaintenanceStrip />
      <Bars>
        <PlayerBanner />
      </Bars>
      <main id="main" tabIndex={-1} className="min-h-[calc(100vh-6rem)] md:min-h-[60vh] outline-none">
        {children}
      </main>
      <Footer />
      <PixelHost />
      <TextNoticeHost />
      <DialogHost />
      <ToastHost />
      <DocumentTitle />
    </>
  )
}

/** Left out where a player does one thing to its end. Visitors, who are led away from there, see them from the first paint on. */
function Bars({ children }: { children: ReactNode }) {
  const { status } = useSession()
  if (!useShownPage().handle?.isFocused || status === 'anonymous') return children
  return status === 'unknown' ? <div className="while-anonymous contents">{children}</div> : null
}
