import { afterPress } from './after-press.ts'

/** What brings up a phone's keyboard. */
const TYPED = "textarea, input:not([type='radio'], [type='checkbox'], [type='file'])"

/**
 * Marks the document while something is typed: a phone's keyboard leaves half of the screen, and bars give way to it (`:has(:focus)`
 * is above the floor of browsers).
 */
export function markTyping(): void {
  // After the press that took the focus: its click has then reached what it was meant for, before that moves.
  const update = () => afterPress(mark)
  addEventListener('focusin', update)
  addEventListener('focusout', update)
}

function mark(): void {
  const root = document.documentElement
  const focused = document.activeElement
  const isTyping = focused?.matches(TYPED) ?? false
  if (root.hasAttribute('data-typing') === isTyping) return
  root.toggleAttribute('data-typing', isTyping)
  // The browser scrolled to what got the focus while the bars stood elsewhere; a bar that is back must not lie on it.
  // A press beside all controls gives the focus to the whole page, which stays where it is.
  if (focused instanceof HTMLElement && focused.tabIndex >= 0) focused.scrollIntoView({ block: 'nearest' })
}
