import { pages, paths, type PageEntry } from '#contract/pages.ts'
import { cleanText } from '#server/platform/html/clean-text.rules.ts'

export const SITEMAP_URLS_MAX = 5_000
export const FEED_ENTRIES = 20

const publicPages = Object.values<PageEntry>(pages).filter(({ status }) => status === undefined)
const listed = publicPages.filter(({ isListed }) => isListed)

/** Pages that search engines should know besides those of posts, categories and tournaments. */
const LISTED_PATHS = listed
  .map(({ path }) => path.replace(/\/:\w+\?$/, ''))
  .filter((path) => !path.includes(':'))

/** What robots may not read: the calls, and each first part of an address under which no page is listed. */
function closedPaths(): string[] {
  const firstOf = ({ path }: PageEntry) => path.split('/')[1] as string
  const open = new Set(listed.map(firstOf))
  const closed = new Set(publicPages.map(firstOf).filter((first) => !open.has(first)))
  const isPage = (path: string) => publicPages.some((page) => page.path === path)
  return ['/api/', ...[...closed].map((first) => (isPage(`/${first}`) ? `/${first}` : `/${first}/`))]
}

const xmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text inside XML. Characters that XML cannot hold even escaped are left out. */
function escapeXml(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => xmlEntities[character] as string)
}

export type FeedPost = { id: string; title: string; excerpt: string; createdAt: Date; updatedAt: Date }

export type SitemapPost = { id: string; updatedAt: Date; categoryIds: readonly string[] }

type SitemapInput = {
  publicUrl: string
  posts: readonly SitemapPost[]
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
    ...LISTED_PATHS.map((path) => ({ path, changed: path === paths.home ? home : undefined })),
    ...categories.map(({ id }) => ({ path: paths.category(id), changed: changedIn.get(id) })),
    ...morePaths.map((path) => ({ path, changed: undefined })),
    ...posts.map(({ id, updatedAt }) => ({ path: paths.post(id), changed: updatedAt })),
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
}

/** When a feed without posts changed; the time of the request would make each of its answers another one. */
const NEVER = new Date(0)

export function atomXml({ publicUrl, siteName, siteDescription, posts }: AtomInput): string {
  const url = escapeXml(publicUrl)
  const updated = newest(posts.map((post) => post.updatedAt)) ?? NEVER
  const entries = posts.map(
    ({ id, title, excerpt, createdAt, updatedAt }) => `<entry>
<id>${url}${paths.post(id)}</id>
<title>${escapeXml(title)}</title>
<link rel="alternate" type="text/html" href="${url}${paths.post(id)}"/>
<published>${createdAt.toISOString()}</published>
<updated>${updatedAt.toISOString()}</updated>
<summary>${escapeXml(excerpt)}</summary>
</entry>
`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="vi">
<id>${url}${paths.home}</id>
<title>${escapeXml(siteName)}</title>
<subtitle>${escapeXml(siteDescription)}</subtitle>
<link rel="self" type="application/atom+xml" href="${url}/feed.xml"/>
<link rel="alternate" type="text/html" href="${url}${paths.home}"/>
<updated>${updated.toISOString()}</updated>
<author><name>Admin</name></author>
${entries.join('')}</feed>
`
}

export function robotsText(publicUrl: string): string {
  return `User-agent: *
Allow: /
${closedPaths()
  .map((path) => `Disallow: ${path}\n`)
  .join('')}
Sitemap: ${publicUrl}/sitemap.xml
`
}
