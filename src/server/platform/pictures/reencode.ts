import type { default as SharpLibrary, Sharp } from 'sharp'
import type { Log } from '../log/log.ts'
import { boundedQueue } from '../process/bounded-queue.ts'
import { invalidField, Refusal } from '../values/errors.ts'
import { pictureKind, pixelsOnly } from './picture-formats.rules.ts'

const wrongPictureType = (field: string) => invalidField(field, 'Ảnh phải là tệp JPG, PNG hoặc WebP')

const pictureTooManyPixels = (field: string) =>
  invalidField(field, 'Ảnh có kích thước quá lớn, vui lòng chụp lại hoặc chọn ảnh khác')

const unreadablePicture = (field: string) =>
  invalidField(field, 'Không đọc được ảnh này, vui lòng chụp lại hoặc chọn ảnh khác')

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
 * Takes what was sent for the picture it is, or refuses the field that it came in. The result is encoded again from the
 * decoded pixels: one frame, bounded, without metadata (place and device of a photo), and without a byte of whatever else
 * the file was. `encode` scales the decoded picture and encodes it.
 */
export async function reencode<Result>(
  log: Log,
  bytes: Buffer,
  encode: (decoded: Sharp) => Promise<Result>,
  field = 'picture',
): Promise<Result> {
  const kind = pictureKind(bytes)
  if (kind === null) throw wrongPictureType(field)
  const readable = kind === 'png' ? pixelsOnly(bytes) : bytes
  if (readable === null) throw unreadablePicture(field)
  return queued(async () => encode(await decode(readable, field))).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    log.info({ err: error, event: 'pictures.unreadable' }, 'a picture could not be decoded')
    throw unreadablePicture(field)
  })
}

async function decode(bytes: Buffer, field: string): Promise<Sharp> {
  const sharp = await loadSharp()
  // Only the header is read without a limit, to distinguish too many pixels from a broken file.
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PIXELS_MAX) throw pictureTooManyPixels(field)
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    .autoOrient()
    .toColourspace('srgb')
    .timeout({ seconds: SECONDS_MAX })
}

const SIDE_MAX = 2_000
const QUALITY = 82

/** A re-encoded picture, as JPEG. */
export type CleanPicture = { content: Buffer; width: number; height: number }

/** A picture that a player sent, as operators need it: large enough to read, and nothing in it but its pixels. */
export async function readablePicture(log: Log, bytes: Buffer, field?: string): Promise<CleanPicture> {
  const encode = (decoded: Sharp) =>
    decoded
      .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true })
  const { data, info } = await reencode(log, bytes, encode, field)
  return { content: data, width: info.width, height: info.height }
}
