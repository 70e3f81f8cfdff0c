import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'
import type { RenderedPicture } from './pictures.rendering.ts'
import { patternsOfWords } from '#contract/search-form.ts'

export type PictureRow = {
  id: string
  hash: string
  alt: string
  width: number
  height: number
  created_at: Date
}

const COLUMNS = ['id', 'hash', 'alt', 'width', 'height', 'created_at'] as const

/** Stores a rendered picture; the same one again only takes the new text. */
export async function storePicture(
  tx: Tx,
  { hash, width, height, files }: RenderedPicture,
  alt: string,
): Promise<{ picture: PictureRow; isNew: boolean }> {
  const { xmax, ...picture } = await tx
    .insertInto('picture')
    .values({ hash, width, height, alt })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ alt }))
    .returning([...COLUMNS, sql<string>`xmax::text`.as('xmax')])
    .executeTakeFirstOrThrow()
  // A row that was there already carries the mark of this transaction's update.
  const isNew = xmax === '0'
  if (isNew) {
    await tx
      .insertInto('picture_file')
      .values(files.map((file) => ({ picture_id: picture.id, ...file })))
      .execute()
  }
  return { picture, isNew }
}

type PictureFilter = { id?: string[] | undefined; altPart?: string | undefined }

function matching({ id, altPart }: PictureFilter): RawBuilder<boolean> {
  return allOf([
    id === undefined ? null : sql`id = ANY (${id}::bigint[])`,
    altPart === undefined ? null : sql`search_form(alt) LIKE ALL (${patternsOfWords(altPart)}::text[])`,
  ])
}

/** In the order they were uploaded, which is that of their ids. There are thousands at most. */
export async function listPictureRows(
  db: Db,
  filter: PictureFilter,
  { order, from, to }: ListPage,
): Promise<PictureRow[]> {
  return db
    .selectFrom('picture')
    .select(COLUMNS)
    .where(matching(filter))
    .orderBy('id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
}

export async function countPictures(db: Db, filter: PictureFilter): Promise<number> {
  return countWithinReach(db, db.selectFrom('picture').where(matching(filter)))
}

/** Locks a picture before it is deleted: nobody puts it into a post meanwhile. */
export async function lockPicture(tx: Tx, id: string): Promise<PictureRow> {
  return tx
    .selectFrom('picture')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

export async function deletePicture(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('picture').where('id', '=', id).execute()
}

/** Answers the hashes of those that exist. */
export async function lockPictureRows(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('picture')
    .select('hash')
    .where('hash', 'in', hashes)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ hash }) => hash)
}

export async function findPictureFile(db: Db, hash: string, width: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('picture')
    .innerJoin('picture_file', 'picture_file.picture_id', 'picture.id')
    .select('picture_file.content')
    .where('picture.hash', '=', hash)
    .where('picture_file.width', '=', width)
    .executeTakeFirst()
  return row?.content
}
