import { readInApp } from './in-app.ts'

const REVOKE_AFTER_MS = 10_000

/** What is known of a file that was to be saved; whether a download arrives no browser tells. */
export type Saving = 'shared' | 'given-up' | 'downloading' | 'impossible'

/**
 * Saves a file that was made in the browser. Where downloads lead nowhere (browsers inside apps) or not to the phone's pictures
 * (iPhones), it is handed to the phone instead, whose own sheet saves it.
 */
export async function saveFile(file: File): Promise<Saving> {
  const inApp = readInApp()
  const isIos = document.documentElement.dataset.device === 'ios'
  if ((inApp !== null || isIos) && canShare(file)) {
    try {
      await navigator.share({ files: [file] })
      return 'shared'
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'given-up'
      // Refused, as long after the tap: it is saved as far as the browser can.
    }
  }
  if (inApp !== null) return 'impossible'
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS)
  return 'downloading'
}

const canShare = (file: File): boolean =>
  typeof navigator.share === 'function' && (navigator.canShare?.({ files: [file] }) ?? false)

/** The content of a canvas as a picture file. */
export async function pictureFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const type = 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type))
  if (!blob) throw new Error('The picture could not be written')
  return new File([blob], name, { type })
}

/** A file's content as an address that an image may show. */
export const dataAddress = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error as Error))
    reader.readAsDataURL(file)
  })
