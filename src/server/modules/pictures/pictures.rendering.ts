import type { Sharp } from 'sharp'
import { PICTURE_WIDTHS } from '#contract/post-html.ts'
import type { Log } from '#server/platform/log/log.ts'
import { reencode, loadSharp } from '#server/platform/pictures/reencode.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'

export type RenderedPicture = {
  hash: string
  width: number
  height: number
  files: readonly { width: number; content: Buffer }[]
}

const WIDEST = Math.max(...PICTURE_WIDTHS)
/** Of the height to the width: a long screenshot is narrower rather than a file WebP cannot hold. */
const TALLEST = 3.2
const QUALITY = 80
/** The hash's first half is long enough to be an address. */
const HASH_LENGTH = 32

/** A picture as WebP in all widths, none larger than it was. Its hash is that of the widest file. */
export async function renderPicture(log: Log, bytes: Buffer): Promise<RenderedPicture> {
  return reencode(log, bytes, async (decoded) => {
    const { data, info } = await fitted(decoded, WIDEST).raw().toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    const sharp = await loadSharp()
    const encoded = await Promise.all(
      PICTURE_WIDTHS.map(async (encodedWidth) => ({
        width: encodedWidth,
        content: await fitted(sharp(data, { raw: { width, height, channels } }), encodedWidth)
          .webp({ quality: QUALITY })
          .toBuffer(),
      })),
    )
    const widest = encoded.find((file) => file.width === WIDEST)?.content ?? data
    const hash = sha256Hex(widest).slice(0, HASH_LENGTH)
    return { hash, width, height, files: encoded }
  })
}

const fitted = (picture: Sharp, width: number): Sharp =>
  picture.resize({ width, height: Math.floor(width * TALLEST), fit: 'inside', withoutEnlargement: true })
