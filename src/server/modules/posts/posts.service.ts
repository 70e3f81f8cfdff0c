import { CATEGORY_POST_COUNT } from '#contract/constants.ts'
import type { Category, Post, PostSummary } from '#contract/posts.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { cachedContent } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { shownHtml } from '#server/platform/html/safe-html.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { atomXml, FEED_ENTRIES, robotsText, SITEMAP_URLS_MAX, sitemapXml } from './feeds.rules.ts'
import {
  findCategory,
  findPosition,
  findPublishedPost,
  listCategoryRows,
  listPostRows,
  listShownIds,
  searchPostRows,
  type SummaryRow,
  listFeedPosts,
  listSitemapPosts,
  timeToNextPost,
} from './posts.queries.ts'
import { CATEGORIES_MAX, isCover, isId, POSTS_PER_PAGE, searchWords } from './posts.rules.ts'

export type PostsDeps = PlatformDeps & {
  /** Where the portal is reached from outside, e.g. `https://example.com`. */
  publicUrl: string
}

export type PostsQuery = {
  category?: string | undefined
  limit?: number | undefined
  before?: string | undefined
  search?: string | undefined
}

/** The newest posts of all categories are on most pages, one list for each of the fifty limits. */
export const listPosts = cachedContent(
  'posts',
  readPosts,
  ({ category, limit, before, search }: PostsQuery) =>
    (category ?? before ?? search) === undefined ? String(limit ?? POSTS_PER_PAGE) : null,
)

async function readPosts(
  db: Db,
  { category, limit = POSTS_PER_PAGE, before, search }: PostsQuery,
): Promise<PostSummary[]> {
  if (search !== undefined) return searchPosts(db, search, limit)
  const after = before === undefined ? undefined : await findPosition(db, before)
  // Nothing was ever there: there is nothing older than it either.
  if (before !== undefined && after === undefined) return []
  return (await listPostRows(db, { category, after, limit })).map(toSummary)
}

async function searchPosts(db: Db, search: string, limit: number): Promise<PostSummary[]> {
  const words = searchWords(search)
  return words === null ? [] : (await searchPostRows(db, words, limit)).map(toSummary)
}

export async function getPost(db: Db, id: string): Promise<Post> {
  const row = orNotFound(isId(id) ? await findPublishedPost(db, id) : undefined)
  const content = await shownHtml(row.content)
  return { ...toSummary(row), content, author: 'Admin', updated_at: row.updated_at.toISOString() }
}

/** With more posts than these, their ids are not cached. */
const IDS_MAX = 10_000

const shownIds = cachedContent('posts', async (db): Promise<ReadonlySet<string> | null> => {
  const ids = await listShownIds(db, IDS_MAX + 1)
  return ids.length > IDS_MAX ? null : new Set(ids)
})

/** Whether it is known without a query that players see no such post. */
export async function isKnownMissing(db: Db, id: string): Promise<boolean> {
  return (await shownIds(db))?.has(id) === false
}

export const listCategories = cachedContent('categories', (db): Promise<Category[]> =>
  listCategoryRows(db, CATEGORIES_MAX),
)

export async function getCategory(db: Db, id: string): Promise<Category & { posts: PostSummary[] }> {
  const category = orNotFound(isId(id) ? await findCategory(db, id) : undefined)
  const posts = await listPostRows(db, { category: category.id, limit: CATEGORY_POST_COUNT })
  return { ...category, posts: posts.map(toSummary) }
}

const toSummary = ({ cover, views, created_at, ...row }: SummaryRow): PostSummary => ({
  ...row,
  views: Number(views),
  created_at: created_at.toISOString(),
  ...(isCover(cover) ? { cover } : {}),
})

export type FeedsDeps = PostsDeps & {
  /** Paths of open pages that are no posts, for the site's map. */
  listMorePaths(): Promise<readonly string[]>
}

export async function makeSitemap(deps: FeedsDeps): Promise<string> {
  return sitemapXml({
    publicUrl: deps.publicUrl,
    posts: await listSitemapPosts(deps.db, SITEMAP_URLS_MAX),
    categories: await listCategoryRows(deps.db, CATEGORIES_MAX),
    morePaths: await deps.listMorePaths(),
  })
}

export async function makeAtomFeed(deps: FeedsDeps): Promise<string> {
  const { siteName, siteDescription } = await readSettings(deps.db)
  return atomXml({
    publicUrl: deps.publicUrl,
    siteName,
    siteDescription,
    posts: await listFeedPosts(deps.db, FEED_ENTRIES),
  })
}

export async function makeRobots(deps: FeedsDeps): Promise<string> {
  return robotsText(deps.publicUrl)
}

/** Longer waits are measured again: timers take no more than 24 days, and clocks are corrected. */
const WAIT_MS_MAX = 600_000
const RETRY_MS = 5_000

export type Publishing = { plan(): void; close(): void }

/**
 * Calls `onPublished` in this process when the moment of a scheduled post comes. Nothing is written then, so nothing
 * notifies the processes: each waits by itself. `plan` reads the next moment again, after posts changed.
 */
export function watchPublishing(
  { db, log }: Pick<PlatformDeps, 'db' | 'log'>,
  onPublished: () => void,
): Publishing {
  let timer: NodeJS.Timeout | undefined
  let newest = 0

  async function plan(): Promise<void> {
    const plan = ++newest
    const wait = await timeToNextPost(db).catch((error: unknown) => {
      log.warn({ err: error }, 'the next scheduled post is not known yet')
      return 'unknown' as const
    })
    // A later plan knows more.
    if (plan !== newest) return
    clearTimeout(timer)
    if (wait === null) return
    if (wait === 'unknown') wake(RETRY_MS, () => {})
    else if (wait > WAIT_MS_MAX) wake(WAIT_MS_MAX, () => {})
    // A timer may come a millisecond early.
    else wake(wait + 5, onPublished)
  }

  function wake(afterMs: number, act: () => void): void {
    timer = setTimeout(() => {
      act()
      void plan()
    }, afterMs).unref()
  }

  void plan()
  return {
    plan: () => void plan(),
    close() {
      newest++
      clearTimeout(timer)
    },
  }
}
