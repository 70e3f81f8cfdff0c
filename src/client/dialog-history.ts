import { openDialogs, watchDialogs } from '#ui/open-dialogs.ts'

/** How many dialogs are open at the history's present entry. */
const depthNow = () => (history.state as { dialogs?: number } | null)?.dialogs ?? 0

const addressNow = () => location.pathname + location.search

/**
 * Lets the back button close the topmost dialog instead of leaving the page: each open one has an entry of its own in the
 * browser's history, with the address of its page. Call before the router begins to listen, which must not see these entries.
 * A router waits for what the returned function returns before it writes to the history: the browser takes a step back later
 * than it is told to, from whatever entry is the latest by then, so that a page opened meanwhile would be left again.
 */
export function tieDialogsToHistory(): () => Promise<void> | null {
  let isOwnStep = false
  let aligned: Promise<void> | null = null
  let onAligned = () => {}
  let address = ''
  let waiting: ReturnType<typeof setTimeout> | undefined

  // Not at once: whoever closed a dialog may be leading to another page, whose entry is then above this one.
  const alignSoon = () => {
    aligned ??= new Promise((resolve) => {
      onAligned = resolve
    })
    clearTimeout(waiting)
    waiting = setTimeout(align)
  }

  function align(): void {
    // It is told again when the step is done.
    if (isOwnStep) return
    const depth = depthNow()
    for (let next = depth + 1; next <= openDialogs.length; next += 1) {
      address = addressNow()
      history.pushState({ ...history.state, dialogs: next }, '')
    }
    if (openDialogs.length < depth) return stepBack(depth - openDialogs.length)
    aligned = null
    onAligned()
  }

  function stepBack(steps: number): void {
    isOwnStep = true
    history.go(-steps)
  }

  addEventListener('popstate', (event) => {
    const depth = depthNow()
    if (isOwnStep) {
      isOwnStep = false
      event.stopImmediatePropagation()
      alignSoon()
    } else if (openDialogs.length > depth) {
      if (addressNow() === address) event.stopImmediatePropagation()
      for (const dialog of openDialogs.slice(depth).reverse()) dialog.close()
      // One that is not to be closed now gets its entry back.
      alignSoon()
    } else if (openDialogs.length < depth) {
      // Reached from another page or by the forward button: the entry shows nothing of its own, so go back to its page.
      history.back()
    }
  })

  watchDialogs(alignSoon)
  // After a reload the entries remain and their dialogs are gone.
  if (depthNow() > 0) alignSoon()
  return () => aligned
}
