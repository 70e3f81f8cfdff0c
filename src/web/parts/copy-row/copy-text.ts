import { showToast } from '#web/parts/outcomes/toast-store.ts'

/** Copies a text that the page also shows, so that it can be copied by hand where there is no clipboard. */
export async function copyText(text: string, texts: { copied: string; copyFailed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(texts.copied)
  } catch {
    // No clipboard on this origin, or no permission.
    showToast(texts.copyFailed)
  }
}
