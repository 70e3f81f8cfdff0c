const SIDE_MAX = 2_000
/** Smaller files are sent unchanged: receipts are mostly screenshots, which stay sharper that way. */
const SHRUNK_FROM_BYTES = 1024 * 1024
const QUALITY = 0.85

export type ReadyPicture = {
  /** What is sent. */
  blob: Blob
  name: string
  /** For the preview; null when this browser cannot read the file. The server checks it all the same. */
  bitmap: ImageBitmap | null
}

/** The first bytes of a JPEG, a PNG and a WebP, as the server knows them. */
const isKnownStart = (start: string): boolean =>
  start.startsWith('\xff\xd8\xff') || start.startsWith('\x89PNG\r\n\x1a\n') || /^RIFF[^]{4}WEBP/.test(start)

/** Decided by the content: phones and messengers hand over good pictures without a type, or with one of their own. */
export async function isPicture(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(
    await file
      .slice(0, 12)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  )
  return isKnownStart(String.fromCharCode(...bytes))
}

/** Shrinks a large photo before it is sent: the server would do it anyway, and uploads from phones are slow. */
export async function readyPicture(file: File): Promise<ReadyPicture> {
  const { name } = file
  // A file that is no picture, or one too large for the phone's memory.
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (bitmap === null || file.size < SHRUNK_FROM_BYTES) return { blob: file, name, bitmap }
  const smaller = await shrink(bitmap)
  return { blob: smaller !== null && smaller.size < file.size ? smaller : file, name, bitmap }
}

function shrink(bitmap: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (context === null) return Promise.resolve(null)
  // JPEG has no transparency: transparent parts become white.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', QUALITY)
  })
}
