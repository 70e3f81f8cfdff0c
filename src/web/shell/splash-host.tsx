import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { loadChunk } from '#web/load-chunk.ts'
import { paths } from '#contract/pages.ts'
import { modalStore } from '#web/parts/modals/modal-store.ts'

const Splash = lazy(() =>
  loadChunk(() => import('#web/features/splash/splash.tsx'))
    .then((part) => ({ default: part.Splash }))
    .catch(() => ({ default: Nothing })),
)

/** A greeting that could not be loaded is no loss. */
function Nothing() {
  return <></>
}

/** The page is finished first, so that the greeting costs it nothing. */
const QUIET_MS = 500

/** Has the home page's visitors greeted, but never over a modal that somebody has opened. Whether it is time again, the greeting knows. */
export function SplashHost() {
  const isHome = useLocation().pathname === paths.home
  const [isGreeting, setGreeting] = useState(false)
  const close = useCallback(() => setGreeting(false), [])

  useEffect(() => {
    if (!isHome) return
    const stop = afterLoad(() => setGreeting(modalStore.get().modal === null))
    return () => {
      stop()
      setGreeting(false)
    }
  }, [isHome])

  if (!isGreeting) return null
  return (
    <Suspense fallback={null}>
      <Splash onClose={close} />
    </Suspense>
  )
}

/** Acts a while after everything the document asked for is there; the answer calls it off. */
function afterLoad(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    timer = setTimeout(act, QUIET_MS)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
  return () => {
    clearTimeout(timer)
    removeEventListener('load', wait)
  }
}
