import type { Log } from '#server/platform/log/log.ts'
import { boundedQueue } from '#server/platform/bounded-queue.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { pixelsOnly } from './png.rules.ts'
import { pictureTooManyPixels, unreadablePicture, wrongPictureType } from './recharge-claims.errors.ts'
import { pictureKind } from './recharge-claims.rules.ts'

/** A re-encoded picture, as JPEG. */
export type CleanPicture = { content: Buffer; width: number; height: number }

/** More than any phone's screen or usual photo, and what one decoder may take of memory. */
const PIXELS_MAX = 25_000_000
const SIDE_MAX = 2_000
const QUALITY = 82
const SECONDS_MAX = 8

/** One for the process: the bound is on its memory and on the threads it shares with everything else. */
const queued = boundedQueue({
  runningMax: 2,
  waitingMax: 12,
  waitMsMax: 10_000,
  refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 }),
})

/**
 * Takes what was sent for the picture it is, or refuses. What comes out was drawn pixel by pixel from what went in:
 * one frame, bounded, without metadata (place and device of a photo), and without a byte of whatever else the file was.
 */
export async function cleanPicture(log: Log, bytes: Buffer): Promise<CleanPicture> {
  const kind = pictureKind(bytes)
  if (kind === null) throw wrongPictureType()
  const drawable = kind === 'png' ? pixelsOnly(bytes) : bytes
  if (drawable === null) throw unreadablePicture()
  return queued(() => draw(drawable)).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    log.info({ err: error, event: 'claims.unreadable-picture' }, 'a picture could not be decoded')
    throw unreadablePicture()
  })
}

async function draw(bytes: Buffer): Promise<CleanPicture> {
  // Loaded with the first picture, like the drawing of shared posts.
  const { default: sharp } = await import('sharp')
  // Only the header is read without a limit, to distinguish too many pixels from a broken file.
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PIXELS_MAX) throw pictureTooManyPixels()
  const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .timeout({ seconds: SECONDS_MAX })
    .toBuffer({ resolveWithObject: true })
  return { content: data, width: info.width, height: info.height }
}
