import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'

/** How long a screen may take to show its buttons. */
const SCREEN_MS_MAX = 10_000

/** Of the navigation to a screen: the words on the button that it begins with. */
export type AskedAct = { act?: string }

/** Presses the button that the search box led to, once the screen shows it. */
export function useAskedAct(main: RefObject<HTMLElement | null>): void {
  const { state } = useLocation()
  useEffect(() => {
    const screen = main.current
    const act = (state as AskedAct | null)?.act
    if (act === undefined || screen === null) return
    const press = () => {
      const button = [...screen.querySelectorAll('button')].find(({ textContent }) => textContent === act)
      if (button === undefined) return
      stop()
      // A reload or the way back opens the screen alone.
      history.replaceState({ ...(history.state as object), usr: null }, '')
      button.click()
    }
    const observer = new MutationObserver(press)
    const timer = setTimeout(() => observer.disconnect(), SCREEN_MS_MAX)
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
    }
    observer.observe(screen, { childList: true, subtree: true })
    press()
    return stop
  }, [state, main])
}
