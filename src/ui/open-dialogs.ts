type OpenDialog = { close: () => void }

const open: OpenDialog[] = []
const listeners = new Set<() => void>()

/** The dialogs that are open, the topmost last. A site may tie them to the browser's history. */
export const openDialogs: readonly OpenDialog[] = open

/** Called at each change of the dialogs that are open. */
export function watchDialogs(listener: () => void): void {
  listeners.add(listener)
}

/** Counts a dialog among the open ones until the returned function is called. */
export function enterDialog(dialog: OpenDialog): () => void {
  open.push(dialog)
  for (const listener of listeners) listener()
  return () => {
    open.splice(open.indexOf(dialog), 1)
    for (const listener of listeners) listener()
  }
}
