import { readSettings } from '#server/modules/settings/index.ts'
import { atomXml, FEED_ENTRIES, robotsText, SITEMAP_URLS_MAX, sitemapXml } from './feeds.rules.ts'
import { listFeedPosts, listSitemapPosts } from './feeds.queries.ts'
import { listCategoryRows } from './posts.queries.ts'
import { CATEGORIES_MAX } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

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
