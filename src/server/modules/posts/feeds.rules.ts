import { cleanText } from './posts.rules.ts'

export const SITEMAP_URLS_MAX = 5_000
export const FEED_ENTRIES = 20

/** Pages anybody may open and search engines should know, besides posts and categories. */
const OPEN_PAGES = [
  '/home',
  '/community',
  '/download',
  '/download/ios',
  '/gem-calculator',
  '/tournaments',
] as const

/** Pages of one player, and addresses that only open a dialog. */
const CLOSED_PATHS = [
  '/api/',
  '/user/',
  '/recharge',
  '/exchange',
  '/gift',
  '/ranking',
  '/login',
  '/register',
  '/forgot',
  '/password/',
  '/sandbox',
] as const

const xmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text inside XML. Characters that XML cannot hold even escaped are left out. */
export function escapeXml(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => xmlEntities[character] as string)
}

export type FeedPost = {
  id: string
  title: string
  excerpt: string
  createdAt: Date
  updatedAt: Date
}

type SitemapInput = {
  publicUrl: string
  posts: readonly { id: string; updatedAt: Date; categoryIds: readonly string[] }[]
  categories: readonly { id: string }[]
  /** Open pages of other kinds. */
  morePaths: readonly string[]
}

const newest = (moments: readonly Date[]): Date | undefined =>
  moments.reduce<Date | undefined>((last, moment) => (last && last > moment ? last : moment), undefined)

export function sitemapXml({ publicUrl, posts, categories, morePaths }: SitemapInput): string {
  const changedIn = new Map<string, Date>()
  for (const post of posts) {
    for (const id of post.categoryIds) {
      changedIn.set(id, newest([post.updatedAt, changedIn.get(id) ?? post.updatedAt]) as Date)
    }
  }
  const home = newest(posts.map((post) => post.updatedAt))
  const entries: { path: string; changed: Date | undefined }[] = [
    ...OPEN_PAGES.map((path) => ({ path, changed: path === '/home' ? home : undefined })),
    ...categories.map(({ id }) => ({ path: `/category/${id}`, changed: changedIn.get(id) })),
    ...morePaths.map((path) => ({ path, changed: undefined })),
    ...posts.map(({ id, updatedAt }) => ({ path: `/post/${id}`, changed: updatedAt })),
  ]
  const urls = entries.slice(0, SITEMAP_URLS_MAX).map(({ path, changed }) => {
    const lastmod = changed === undefined ? '' : `<lastmod>${changed.toISOString()}</lastmod>`
    return `<url><loc>${escapeXml(publicUrl + path)}</loc>${lastmod}</url>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`
}

type AtomInput = {
  publicUrl: string
  siteName: string
  siteDescription: string
  posts: readonly FeedPost[]
  /** When nothing was written yet. */
  madeAt: Date
}

export function atomXml({ publicUrl, siteName, siteDescription, posts, madeAt }: AtomInput): string {
  const url = escapeXml(publicUrl)
  const updated = newest(posts.map((post) => post.updatedAt)) ?? madeAt
  const entries = posts.map(
    ({ id, title, excerpt, createdAt, updatedAt }) => `<entry>
<id>${url}/post/${id}</id>
<title>${escapeXml(title)}</title>
<link rel="alternate" type="text/html" href="${url}/post/${id}"/>
<published>${createdAt.toISOString()}</published>
<updated>${updatedAt.toISOString()}</updated>
<summary>${escapeXml(excerpt)}</summary>
</entry>
`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="vi">
<id>${url}/home</id>
<title>${escapeXml(siteName)}</title>
<subtitle>${escapeXml(siteDescription)}</subtitle>
<link rel="self" type="application/atom+xml" href="${url}/feed.xml"/>
<link rel="alternate" type="text/html" href="${url}/home"/>
<updated>${updated.toISOString()}</updated>
<author><name>Admin</name></author>
${entries.join('')}</feed>
`
}

export function robotsText(publicUrl: string): string {
  return `User-agent: *
Allow: /
${CLOSED_PATHS.map((path) => `Disallow: ${path}\n`).join('')}
Sitemap: ${publicUrl}/sitemap.xml
`
}
