import type { Log } from '#server/platform/log/log.ts'
import { reencode } from '#server/platform/pictures/reencode.ts'

/** A re-encoded picture, as JPEG. */
export type CleanPicture = { content: Buffer; width: number; height: number }

const SIDE_MAX = 2_000
const QUALITY = 82

/** The picture of a claim, drawn anew. */
export async function cleanPicture(log: Log, bytes: Buffer): Promise<CleanPicture> {
  const { data, info } = await reencode(log, bytes, (decoded) =>
    decoded
      .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true }),
  )
  return { content: data, width: info.width, height: info.height }
}
