type PictureKind = 'jpeg' | 'png' | 'webp'

const starts = (bytes: Uint8Array, signature: readonly number[], at = 0) =>
  signature.every((byte, index) => bytes[at + index] === byte)

const JPEG = [0xff, 0xd8, 0xff]
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

/** A file's type by its first bytes; its name and declared type are not trusted. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (starts(bytes, JPEG)) return 'jpeg'
  if (starts(bytes, PNG)) return 'png'
  return starts(bytes, RIFF) && starts(bytes, WEBP, 8) ? 'webp' : null
}

const SIGNATURE_BYTES = 8
/** Length, name and check sum of a chunk, around its content. */
const FRAME_BYTES = 12

/** The chunks that define the pixels. All others are text, profiles and animation. */
const PIXEL_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/**
 * A PNG with nothing in it but its pixels, or null when its chunks do not lead to its end. Texts and colour profiles are
 * compressed: a small file can occupy a decoder that merely steps over them for seconds.
 */
export function pixelsOnly(png: Buffer): Buffer | null {
  const chunks = [png.subarray(0, SIGNATURE_BYTES)]
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= png.length;) {
    const end = at + FRAME_BYTES + png.readUInt32BE(at)
    if (end > png.length) return null
    const name = png.toString('latin1', at + 4, at + 8)
    if (PIXEL_CHUNKS.has(name)) chunks.push(png.subarray(at, end))
    if (name === 'IEND') return Buffer.concat(chunks)
    at = end
  }
  return null
}
