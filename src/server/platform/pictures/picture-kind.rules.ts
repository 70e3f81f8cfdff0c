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
