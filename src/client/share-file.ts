/** Whether this browser can hand a picture to the phone's other applications. */
export function canSharePictures(): boolean {
  const probe = new File([], 'probe.png', { type: 'image/png' })
  return typeof navigator.share === 'function' && (navigator.canShare?.({ files: [probe] }) ?? false)
}

/** Hands a picture to another application. That the player chooses none is no failure. */
export async function sharePicture(picture: File, title: string): Promise<void> {
  try {
    await navigator.share({ files: [picture], title })
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  }
}
