import { showToast } from '#web/parts/outcomes/toast-store.ts'

/** Copies a text that the page also shows, so that it can be taken by hand where there is no clipboard. */
export async function copyText(text: string, says: { copied: string; copyFailed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(says.copied)
  } catch {
    // No clipboard on this origin, or the reader said no.
    showToast(says.copyFailed)
  }
}
