import { expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { renderPage } from '#web/entry-server.tsx'

// What search engines and others outside the site find in the HTML of a page.

const publicUrl = 'https://ninja.example.com'

const post = {
  id: '7',
  title: 'Hội đèn lồng',
  new: true,
  views: 12,
  created_at: '2026-11-20T17:05:00.000Z',
  excerpt: 'Tóm tắt của bài',
  category_ids: ['2'],
}

const legalText = (kind: string) => ({
  kind,
  version: 1,
  current_version: 1,
  content: '<p>Nội dung</p>',
  published_at: post.created_at,
})

const answers: Record<string, unknown> = {
  '/api/servers': [{ id: '1', name: 'Trúc Lâm' }],
  '/api/settings': {
    site_name: 'Tinh Hoa Ninja',
    site_description: 'Trang chính thức',
    fanpage_link: 'https://facebook.example.com/thn',
    group_link: 'not an address',
    android_auto: 'https://tai.example.com/thn.apk',
    age_class: '16+',
  },
  '/api/posts?limit=13': [post],
  '/api/posts?limit=6': [post],
  '/api/posts?limit=25&before=7': [post],
  '/api/posts?limit=25&before=7&category=2': [post],
  '/api/posts?limit=25&search=den+long': [post],
  '/api/posts/7': { ...post, content: '<p>Đêm hội</p>', author: 'Admin', updated_at: post.created_at },
  '/api/categories': [{ id: '2', title: 'Tin sự kiện', description: 'Lễ hội' }],
  '/api/categories/2': { id: '2', title: 'Tin sự kiện', description: 'Lễ hội', posts: [post] },
  '/api/tournaments': [],
  '/api/legal/terms': legalText('terms'),
  '/api/legal/privacy': legalText('privacy'),
  '/api/legal/refunds': legalText('refunds'),
}

const render = (url: string, changed: Record<string, unknown> = {}) =>
  renderPage({
    url,
    publicUrl,
    transport: async (call) => {
      const found = changed[call.url] ?? answers[call.url]
      return found ? { status: 200, text: JSON.stringify(found) } : { status: 404, text: '{"code":"X"}' }
    },
  })

const structuredOf = async (url: string) => (await render(url)).structured ?? []
const typed = (objects: readonly object[], type: string) =>
  objects.find((one) => (one as { '@type': string })['@type'] === type)

/** Pages without a parameter that search engines may index: those of the sitemap. */
const inSitemap = Object.values(pages)
  .filter((entry) => 'isListed' in entry && !/:\w+(?!\w*\?)/.test(entry.path))
  .map(({ path }) => path.replace(/\/:\w+\?/, ''))

test('a search shows what it finds, and is nothing for search engines', async () => {
  const { head, html } = await render('/search/den%20long')
  expect(head).toMatchObject({ title: 'Kết quả cho “den long”', isIndexable: false })
  expect(html).toContain('href="/post/7"')
  expect(html).toContain('value="den long"')
})

test('every page of the sitemap describes itself in its own words', async () => {
  expect(inSitemap.length).toBeGreaterThan(7)
  expect(inSitemap).toContain('/terms')
  const described = new Map<string, string>()
  for (const path of inSitemap) {
    const { head } = await render(path)
    expect(head.description?.length, path).toBeGreaterThan(15)
    expect(described.get(head.description ?? ''), path).toBeUndefined()
    described.set(head.description ?? '', path)
  }
})

test('a post is a news article with its way from the home page', async () => {
  const objects = await structuredOf('/post/7')
  expect(typed(objects, 'NewsArticle')).toMatchObject({
    mainEntityOfPage: `${publicUrl}/post/7`,
    headline: 'Hội đèn lồng',
    description: 'Tóm tắt của bài',
    image: [expect.stringMatching(/^https:\/\/ninja\.example\.com\/share\/post-7\.png\?v=\w+-16$/)],
    datePublished: post.created_at,
    dateModified: post.created_at,
    articleSection: 'Tin sự kiện',
    author: { '@type': 'Organization', name: 'Admin' },
    publisher: { '@id': `${publicUrl}/#organization` },
  })
  expect(typed(objects, 'BreadcrumbList')).toMatchObject({
    itemListElement: [
      { position: 1, name: 'Trang chủ', item: `${publicUrl}/home` },
      { position: 2, name: 'Tin sự kiện', item: `${publicUrl}/category/2` },
      { position: 3, name: 'Hội đèn lồng', item: `${publicUrl}/post/7` },
    ],
  })
  expect(typed(objects, 'Organization')).toMatchObject({ '@id': `${publicUrl}/#organization` })
})

test('home names site, publisher and game, with nothing that an operator did not set', async () => {
  const objects = await structuredOf('/home')
  expect(typed(objects, 'WebSite')).toMatchObject({
    name: 'Tinh Hoa Ninja',
    potentialAction: { target: { urlTemplate: `${publicUrl}/search/{words}` } },
  })
  expect(typed(objects, 'Organization')).toMatchObject({
    logo: `${publicUrl}/images/logo.png`,
    sameAs: ['https://facebook.example.com/thn'],
  })
  expect(typed(objects, 'VideoGame')).toMatchObject({
    name: 'Tinh Hoa Ninja',
    contentRating: '16+',
    gamePlatform: ['Android'],
  })
  expect(typed(await structuredOf('/download'), 'VideoGame')).toBeDefined()
})

test.each(['/post/404', '/nothing', '/recharge', '/login', '/search/den'])(
  '%s, which search engines may not index, describes nothing',
  async (path) => {
    expect((await render(path)).structured).toBeUndefined()
  },
)

const WITHOUT_SERVER = [
  '/exchange',
  '/help',
  '/milestones',
  '/sandbox',
  '/tournament/:id/overlay',
  '/tournaments/results',
]

test('every page that does nothing without scripts has a notice, and no other', async () => {
  const noticeOf = new Map<string, string | undefined>()
  for (const { path } of Object.values(pages)) {
    const address = path.replace(/:\w+\??/g, '7').replace('*', '/khong-co')
    noticeOf.set(path, (await render(address)).needsScripts)
  }
  expect(noticeOf.get('/login')).toBe('Đăng nhập')
  expect(noticeOf.get('/recharge/:code')).toBe('Đơn nạp')
  const silent = [...noticeOf].filter(([, name]) => name === undefined).map(([path]) => path)
  expect(silent).toEqual(
    Object.values(pages)
      .filter(({ access, path }) => access === 'open' && !WITHOUT_SERVER.includes(path))
      .map(({ path }) => path),
  )
})

test('a post that nobody has read yet does not count its readers', async () => {
  expect((await render('/post/7')).html).toContain('lượt xem')
  const unread = { ...(answers['/api/posts/7'] as object), views: 0 }
  const others = { '/api/posts?limit=6': [], '/api/posts/7': unread }
  const { html } = await render('/post/7', others)
  expect(html).toContain('Đêm hội')
  expect(html).not.toContain('lượt xem')
})

test('the links that share a post have their addresses before any script runs', async () => {
  const { html } = await render('/post/7')
  const encoded = encodeURIComponent(`${publicUrl}/post/7`)
  expect(html).toContain(`href="https://zalo.me/share?url=${encoded}"`)
  expect(html).toContain(`href="https://www.facebook.com/sharer/sharer.php?u=${encoded}"`)
})

test('the address of a share picture changes with the title and the age class on it', async () => {
  const imageOf = async (url: string, title: string, age_class = '12+') => {
    const settings = { ...(answers['/api/settings'] as object), age_class }
    const category = { id: '2', title, description: 'Lễ hội', posts: [] }
    return (await render(url, { '/api/settings': settings, '/api/categories/2': category })).head.image
  }
  const first = await imageOf('/category/2', 'Sự kiện')
  expect(first).toMatch(/^\/share\/category-2\.png\?v=\w+-12$/)
  expect(await imageOf('/category/2', 'Sự kiện')).toBe(first)
  expect(await imageOf('/category/2', 'Sự Kiện')).not.toBe(first)
  expect(await imageOf('/category/2', 'Sự kiện', '18+')).toBe(first.replace(/12$/, '18'))
  expect(await imageOf('/download', 'Sự kiện', '18+')).toMatch(/^\/share\/page-download\.png\?v=\w+-18$/)
  expect(await imageOf('/home', 'Sự kiện', '18+')).toBe('/share/site.png?v=18')
})
