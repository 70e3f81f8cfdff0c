import type { default as SharpLibrary, Sharp } from 'sharp'
import type { Log } from '../log/log.ts'
import { boundedQueue } from '../process/bounded-queue.ts'
import { invalidField, Refusal } from '../values/errors.ts'
import { pictureKind, pixelsOnly } from './picture-formats.rules.ts'

const wrongPictureType = () => invalidField('picture', 'Ảnh phải là tệp JPG, PNG hoặc WebP')

const pictureTooManyPixels = () =>
  invalidField('picture', 'Ảnh có kích thước quá lớn, vui lòng chụp lại hoặc chọn ảnh khác')

const unreadablePicture = () =>
  invalidField('picture', 'Không đọc được ảnh này, vui lòng chụp lại hoặc chọn ảnh khác')

/**
 * libvips, loaded with the first picture. Without its memory of past operations, which may take 50 MB and never serves
 * again here: each picture is decoded once.
 */
export async function loadSharp(): Promise<typeof SharpLibrary> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/** More than any phone's screen or usual photo, and what one decoder may take of memory. */
const PIXELS_MAX = 25_000_000
const SECONDS_MAX = 8

/** One for the process: the bound is on its memory and on the threads it shares with everything else. */
const queued = boundedQueue({
  runningMax: 2,
  waitingMax: 12,
  waitMsMax: 10_000,
  refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 }),
})

/**
 * Takes what was sent for the picture it is, or refuses the field `picture`. The result is encoded again from the
 * decoded pixels: one frame, bounded, without metadata (place and device of a photo), and without a byte of whatever else
 * the file was. `encode` scales the decoded picture and encodes it.
 */
export async function reencode<Result>(
  log: Log,
  bytes: Buffer,
  encode: (decoded: Sharp) => Promise<Result>,
): Promise<Result> {
  const kind = pictureKind(bytes)
  if (kind === null) throw wrongPictureType()
  const readable = kind === 'png' ? pixelsOnly(bytes) : bytes
  if (readable === null) throw unreadablePicture()
  return queued(async () => encode(await decode(readable))).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    log.info({ err: error, event: 'pictures.unreadable' }, 'a picture could not be decoded')
    throw unreadablePicture()
  })
}

async function decode(bytes: Buffer): Promise<Sharp> {
  const sharp = await loadSharp()
  // Only the header is read without a limit, to distinguish too many pixels from a broken file.
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PIXELS_MAX) throw pictureTooManyPixels()
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    .autoOrient()
    .toColourspace('srgb')
    .timeout({ seconds: SECONDS_MAX })
}
