const SIGNATURE_BYTES = 8
/** Length, name and check sum of a chunk, around its content. */
const FRAME_BYTES = 12

/** What the pixels are made of. Everything else is text, profiles and animation. */
const DRAWN = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/**
 * A PNG with nothing in it but its pixels, or null when its chunks do not lead to its end. Texts and colour profiles are
 * compressed: a decoder that merely steps over them can be kept busy for seconds by a small file.
 */
export function pixelsOnly(png: Buffer): Buffer | null {
  const kept = [png.subarray(0, SIGNATURE_BYTES)]
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= png.length;) {
    const end = at + FRAME_BYTES + png.readUInt32BE(at)
    if (end > png.length) return null
    const name = png.toString('latin1', at + 4, at + 8)
    if (DRAWN.has(name)) kept.push(png.subarray(at, end))
    if (name === 'IEND') return Buffer.concat(kept)
    at = end
  }
  return null
}
