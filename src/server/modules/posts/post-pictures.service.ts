import { lockPictures, uploadsIn } from '#server/modules/pictures/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { unknownPicture } from './posts.errors.ts'

type Shown = { content: string; cover: string | null }

/** Makes sure that the pictures a post is about to show are there, and stay until that is stored; answers their hashes. */
export async function keepPictures(tx: Tx, { content, cover }: Shown): Promise<string[]> {
  const hashes = uploadsIn(content, cover)
  const there = await lockPictures(tx, hashes)
  const missing = hashes.filter((hash) => !there.includes(hash))
  if (missing.length === 0) return hashes
  throw unknownPicture(uploadsIn(cover).some((hash) => missing.includes(hash)) ? 'cover' : 'content')
}
