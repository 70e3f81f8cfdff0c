import { useCallback, useEffect, useState } from 'react'
import { usePathname } from '#web/navigation.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import { paths } from '#contract/pages.ts'
import { modalStore } from '#web/parts/modals/modal-store.ts'

const Splash = lazyComponent(() => import('#web/parts/splash/splash.tsx').then((part) => part.Splash))

/** The page is finished first, so that the greeting does not slow it down. */
const DELAY_MS = 500

/** Greets visitors of the home page, but never over an open modal. The greeting itself decides whether it is due. */
export function SplashHost() {
  const isHome = usePathname() === paths.home
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
  return <Splash onClose={close} />
}

/** Acts a while after everything the document needs is loaded; the returned function cancels it. */
function afterLoad(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    timer = setTimeout(act, DELAY_MS)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
  return () => {
    clearTimeout(timer)
    removeEventListener('load', wait)
  }
}
