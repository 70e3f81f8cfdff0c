const SHOWN_LETTERS = 4

/** Enough to find the transfer in the bank's app, and not enough to claim it as one's own from a picture. */
export function maskReference(reference: string): string {
  const shown = Math.min(SHOWN_LETTERS, Math.floor(reference.length / 2))
  return `${'•'.repeat(Math.min(reference.length - shown, SHOWN_LETTERS))}${reference.slice(reference.length - shown)}`
}
