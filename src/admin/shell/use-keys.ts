import { useLayoutEffect } from 'react'
import { useNavigate } from 'react-router'
import { actOfKey } from '#admin/kit/screen-keys.ts'
import type { Screen } from '#admin/screen.ts'

/** How long after `g` a letter still counts. */
const CHORD_MS = 1_500

/** A box that is ticked takes no letters: after it was clicked the keys of the list still count. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))

/** `/` goes to the search box, `g` and a letter to a screen, `?` shows the keys; any other is the screen's. Not while somebody types or a dialog is open. */
export function useKeys({ screens, onHelp }: { screens: readonly Screen[]; onHelp: () => void }): void {
  const navigate = useNavigate()
  // Before the screen is painted: what is pressed as soon as it is seen counts already.
  useLayoutEffect(() => {
    let chordSince = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target))
        return
      if (document.querySelector('dialog[open]')) return
      const isChord = Date.now() - chordSince < CHORD_MS
      chordSince = event.key === 'g' && !isChord ? Date.now() : 0
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
