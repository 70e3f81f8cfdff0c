import { uploadHash } from '#contract/uploads.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findPictureFile } from './pictures.queries.ts'

/** The file behind an address of an uploaded picture; undefined when nothing is there. */
export async function findUpload(db: Db, address: string): Promise<Buffer | undefined> {
  const hash = uploadHash(address)
  const width = /-(\d+)[.]webp$/.exec(address)?.[1]
  return hash === null ? undefined : findPictureFile(db, hash, Number(width))
}
