import { useEffect } from 'react'
import { usePathname } from '#web/navigation.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import type { ConsentBarProps } from '#web/parts/pixel/consent-bar.tsx'
import { answerConsent, closeQuestion, useConsent } from '#web/parts/pixel/consent.ts'
import { flushLater, mayUsePixel } from '#web/parts/pixel/pixel.ts'
import { Waiting } from '#ui/waiting.tsx'
import { outcomeCopy, showToast } from '#web/parts/outcomes/announce.ts'
import { useSettings } from '#web/parts/settings/settings.ts'
import { useSession } from '#web/session/session-store.ts'

/**
 * A question that cannot be shown is not answered, so the pixel does not load. Who asked for it, by a tap at the foot of the page,
 * sees what becomes of that.
 */
const ConsentBar = lazyComponent<ConsentBarProps>(
  () => import('#web/parts/pixel/consent-bar.tsx').then((part) => part.ConsentBar),
  {
    waiting: ({ isAsked }) => isAsked && <Waiting />,
    renderFailed: ({ isAsked }) => isAsked && <NotAsked />,
  },
)

function NotAsked() {
  useEffect(() => {
    showToast(outcomeCopy.notOpened)
    closeQuestion()
  }, [])
  return null
}

/** Asks visitors about the advertiser's pixel and loads it on the pages that permit it. Without an id there is no question. */
export function PixelHost() {
  const { pixel_id: pixelId } = useSettings()
  const pathname = usePathname()
  const { choice, isAsked } = useConsent()
  const { user, status } = useSession()
  // An answer given while signed in counts for the player in every browser.
  const isRefused = user?.pixel_consent === false
  const isKnown = status === 'anonymous' || status === 'player'
  const isAllowed = Boolean(pixelId) && choice === 'granted' && isKnown && !isRefused

  useEffect(() => {
    if (!isRefused || choice === 'denied' || choice === 'unknown') return
    answerConsent('denied')
    import('#web/parts/pixel/choose-pixel.ts').then(
      ({ withdrawPixel }) => withdrawPixel(),
      () => {
        // Nothing is reported all the same.
      },
    )
  }, [isRefused, choice])

  useEffect(() => {
    if (!isAllowed || !pixelId || !mayUsePixel(pathname)) return
    import('#web/parts/pixel/load-pixel.ts').then(
      ({ loadPixel }) => mayUsePixel(location.pathname) && loadPixel(pixelId),
      () => {
        // Blocked or offline: the portal goes on without it.
      },
    )
    flushLater()
  }, [isAllowed, pixelId, pathname])

  if (!pixelId || choice === 'unknown') return null
  if (!isAsked && !(choice === 'open' && mayUsePixel(pathname))) return null
  return <ConsentBar choice={choice} isAsked={isAsked} />
}
