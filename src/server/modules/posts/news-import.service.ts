import { contentChanges } from '#server/domain/content.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { insertCategory, insertPost, replaceCategories } from './operator-posts.queries.ts'
import { valuesFrom, withSafeContent } from './operator-posts.service.ts'

type ImportedPost = {
  title: string
  content: string
  cover: string
  new: boolean
  pinned: boolean
  createdAt: Date
  /** Keys of the imported categories. */
  categories: readonly string[]
}

export type News = {
  /** In the order they are shown. */
  categories: readonly { key: string; title: string; description: string }[]
  posts: readonly ImportedPost[]
}

/** Brings news of an earlier time into an empty installation, under the rules an editor's posts are stored by. */
export async function importNews(tx: Tx, { categories, posts }: News): Promise<void> {
  const ids = new Map<string, string>()
  for (const [position, { key, title, description }] of categories.entries()) {
    ids.set(key, (await insertCategory(tx, { title, description, position })).id)
  }
  // The oldest first: ids rise with dates, which paging counts on when the post it stood at is gone.
  for (const post of posts.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const safe = await withSafeContent({ ...post, publish_at: post.createdAt.toISOString() })
    const id = await insertPost(tx, {
      ...valuesFrom(safe, null, post.createdAt),
      pictures: [],
      createdAt: post.createdAt,
    })
    const categoryIds = post.categories.map((key) => {
      const categoryId = ids.get(key)
      invariant(categoryId !== undefined, `the category ${key} is among the imported ones`)
      return categoryId
    })
    await replaceCategories(tx, id, categoryIds)
  }
  await contentChanges(tx, 'categories')
  await contentChanges(tx, 'posts')
}
