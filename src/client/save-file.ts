const REVOKE_AFTER_MS = 10_000

/** Downloads a file that was made in the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS)
}

/** The content of a canvas as a picture file. */
export async function pictureFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const type = 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type))
  if (!blob) throw new Error('The picture could not be written')
  return new File([blob], name, { type })
}
