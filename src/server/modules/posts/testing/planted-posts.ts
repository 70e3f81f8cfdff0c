import { contentChanges } from '#server/domain/content.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { TestApp } from '#tests/support/app.ts'

export type Planted = {
  title: string
  content: string
  excerpt: string
  cover: string | null
  publishAt: string
  isPinned: boolean
  isPublished: boolean
  categories: string[]
}

/** Inserts a post past every rule of the console; returns its id. */
export async function plantPost({ db }: TestApp, fields: Partial<Planted> = {}): Promise<string> {
  const { id } = await db
    .insertInto('posts')
    .values({
      title: fields.title ?? 'Bài',
      content: fields.content ?? '<p>Chữ.</p>',
      excerpt: fields.excerpt ?? 'Chữ.',
      cover: fields.cover ?? null,
      is_pinned: fields.isPinned ?? false,
      is_published: fields.isPublished ?? true,
      ...(fields.publishAt === undefined ? {} : { publish_at: fields.publishAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const category of fields.categories ?? [])
    await db.insertInto('post_categories').values({ post_id: id, category_id: category }).execute()
  await inTransaction(db, (tx) => contentChanges(tx, 'posts'))
  return id
}

export async function plantCategory({ db }: TestApp, title: string, position = 0): Promise<string> {
  const { id } = await db
    .insertInto('categories')
    .values({ title, description: `Về ${title}`, position })
    .returning('id')
    .executeTakeFirstOrThrow()
  await inTransaction(db, (tx) => contentChanges(tx, 'categories'))
  return id
}
