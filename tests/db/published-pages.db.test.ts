import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages, paths, type PageEntry, type PageName } from '#contract/pages.ts'
import { shareSubjectOf } from '#contract/share-pictures.ts'
import { useTestApp, anotherProcess } from '#tests/support/app.ts'
import { aTournament } from '#tests/support/tournaments.ts'
import { anOperator } from '#tests/support/operators.ts'
import { changeSettings, setSetting } from '#tests/support/settings.ts'

const portal = useTestApp({ overrides: { withPages: true } })
let editor: string
beforeAll(async () => {
  editor = (await anOperator(portal, 'editor')).token
})

const publish = async (title: string) => {
  const answer = await portal.call('POST', '/api/operator/posts', {
    token: editor,
    body: {
      title,
      content: '<p>Nội dung của bài viết.</p>',
      cover: '/images/covers/thu',
      reason: 'Đăng bài',
    },
  })
  expect(answer.status).toBe(201)
  return answer.body.id as string
}

async function page(path: string): Promise<string> {
  const answer = await portal.app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } })
  const isPacked = answer.headers['content-encoding'] === 'gzip'
  return isPacked ? gunzipSync(answer.rawPayload).toString('utf8') : answer.body
}

/** The posts that a page lists, and the link to older ones. */
async function listed(path: string): Promise<{ ids: string[]; older: string | undefined }> {
  const html = (await page(path)).split('id="page-state"')[0] ?? ''
  const ids = [...html.matchAll(/href="\/post\/(\d+)"/g)].map(([, id = '']) => id)
  return { ids, older: /href="([^"]+)"[^>]*>Xem bài cũ hơn</.exec(html)?.[1] }
}

test('a new age class and who runs the portal are at the foot of every page at once', async () => {
  const postId = await publish('Bài có ảnh chia sẻ')
  const paths = ['/home', `/post/${postId}`, '/download']
  const pictureOf = (html: string) => /property="og:image" content="([^"]+)"/.exec(html)?.[1]
  const before = await Promise.all(paths.map(page))
  for (const html of before) {
    expect(html).toContain('người chơi từ 12 tuổi trở lên')
    expect(html).not.toContain('Hotline')
  }
  const values = { age_class: '18+', seller_name: '<b>Công ty</b>', seller_hotline: '1900 1234' }
  for (const [key, value] of Object.entries(values)) await setSetting(portal, key, value)
  const after = await Promise.all(paths.map(page))
  for (const [index, html] of after.entries()) {
    expect(html).toContain('người chơi từ 18 tuổi trở lên')
    expect(html).toContain('&lt;b&gt;Công ty&lt;/b&gt;\nHotline: 1900 1234')
    expect(html).not.toContain('<b>Công ty')
    // Chats cache the picture of an address.
    expect(pictureOf(html)).toMatch(/\/share\/(site|post-\d+|page-download)\.png\?v=/)
    expect(pictureOf(html)).not.toBe(pictureOf(before[index] ?? ''))
  }
})

/** An address of each page that visitors may open, of a post, a category and a tournament with the given ids. */
function openAddresses(ids: Record<'post' | 'category' | 'tournament', string>): [PageName, string][] {
  const before = String(Number(ids.post) + 1)
  const addresses: Partial<Record<PageName, string>> = {
    post: paths.post(ids.post),
    category: paths.category(ids.category),
    tournament: paths.tournament(ids.tournament),
    overlay: paths.overlay(ids.tournament),
    olderPosts: paths.olderPosts(before),
    olderInCategory: paths.olderInCategory(ids.category, before),
  }
  return (Object.entries(pages) as [PageName, PageEntry][])
    .filter(([, { access, status }]) => access === 'open' && status === undefined)
    .map(([name, { path }]) => [name, addresses[name] ?? path.replace(/\/:\w+\?$/, '')])
}

test('the share picture of every page has the title of that page', async () => {
  const { id: category } = await portal.db
    .insertInto('categories')
    .values({ title: 'Tin sự kiện' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const post = await publish('Bài trên mạng xã hội')
  await portal.db.insertInto('post_categories').values({ post_id: post, category_id: category }).execute()
  const tournament = await aTournament(portal, 'Tứ Hùng tranh bá')
  const shown: Record<string, unknown> = {}
  for (const [name, address] of openAddresses({ post, category, tournament })) {
    const html = await page(address)
    const [picture, title] = ['image', 'title'].map(
      (property) => new RegExp(`property="og:${property}" content="([^"]+)"`).exec(html)?.[1],
    )
    const [, pictureName = ''] = /\/share\/([^.]+)\.png\?v=\w+-?\w*$/.exec(picture ?? '') ?? []
    const subject = shareSubjectOf(pictureName)
    const isIndexed = !html.includes('<meta name="robots" content="noindex">')
    const isAboutARow = subject !== undefined && 'id' in subject
    const { statusCode } = isAboutARow
      ? await portal.app.inject({ url: `/share/${pictureName}.png` })
      : { statusCode: 200 }
    const titleOnIt = subject?.kind === 'page' ? subject.title : title
    expect({ name, statusCode, titleOnIt, hasPicture: isIndexed }).toEqual({
      name,
      statusCode: 200,
      titleOnIt: title,
      hasPicture: picture !== undefined,
    })
    shown[name] = subject
  }
  const own: Partial<Record<PageName, unknown>> = {
    home: { kind: 'site' },
    post: { kind: 'post', id: post },
    category: { kind: 'category', id: category },
    olderInCategory: { kind: 'older', id: category },
    tournament: { kind: 'tournament', id: tournament },
    // Search engines and chats are not meant to have these.
    search: undefined,
    results: undefined,
    sandbox: undefined,
    overlay: undefined,
  }
  const usual = (name: string) => ({ kind: 'page', title: pages[name as PageName].title })
  const expected = Object.keys(shown).map((name) => [name, name in own ? own[name as PageName] : usual(name)])
  expect(shown).toEqual(Object.fromEntries(expected))
})

test('every post can be reached from the home page and from its category, however old', async () => {
  const category = await portal.db
    .insertInto('categories')
    .values({ title: 'Nhiều bài' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const posts = await portal.db
    .insertInto('posts')
    .values(Array.from({ length: 90 }, (_, n) => ({ title: `Bài cũ ${n}`, content: 'x', excerpt: 'x' })))
    .returning('id')
    .execute()
  await portal.db
    .insertInto('post_categories')
    .values(posts.map(({ id }) => ({ post_id: id, category_id: category.id })))
    .execute()
  // Rows put into the tables directly are on no page that was cached before: a post published as usual drops those.
  await publish('Bài mới nhất')
  for (const start of ['/home', `/category/${category.id}`]) {
    const reached: string[] = []
    let pages = 0
    for (let path: string | undefined = start; path !== undefined && pages < 20; pages += 1) {
      const { ids, older } = await listed(path)
      reached.push(...ids)
      path = older
    }
    expect(pages).toBeLessThan(8)
    expect(new Set(reached).size).toBe(reached.length)
    for (const { id } of posts) expect(reached).toContain(id)
  }
  const { older } = await listed('/home')
  const html = await page(older ?? '')
  expect(html).toContain(`<link rel="canonical" href="${portal.deps.publicUrl}${older}">`)
  expect(html).not.toContain('noindex')
})

describe('what an operator publishes', () => {
  test('has its own title, description, canonical address and OpenGraph tags', async () => {
    const id = await publish('Bài viết để chia sẻ')
    const html = await page(`/post/${id}`)
    expect(html).toMatch(/<title>Bài viết để chia sẻ/)
    expect(html).toContain(`<link rel="canonical" href="${portal.deps.publicUrl}/post/${id}">`)
    expect(html).toMatch(/<meta name="description" content="Nội dung của bài viết\.?/)
    expect(html).toMatch(/<meta property="og:title" content="Bài viết để chia sẻ/)
    expect(html).toMatch(/<meta property="og:image" content="http/)
  })

  test('disappears at once when it is taken back', async () => {
    const id = await publish('Bài viết đăng nhầm')
    expect(await page('/home')).toContain('Bài viết đăng nhầm')
    await portal.call('DELETE', `/api/operator/posts/${id}`, { token: editor, body: { reason: 'Đăng nhầm' } })
    expect(await page('/home')).not.toContain('Bài viết đăng nhầm')
    expect((await portal.app.inject({ url: `/post/${id}` })).statusCode).toBe(404)
  })
})

test('a changed post leaves the cached pages that show none, here and in another process', async () => {
  const other = await anotherProcess(portal)
  // Each rendering has its own times in the state that it hands over.
  const pageOf = async (url: string) => (await other.app.inject({ url })).body
  try {
    const before = { here: await page('/gem-calculator'), there: await pageOf('/gem-calculator') }
    await pageOf('/home')
    await publish('Bài không ảnh hưởng bảng tính')
    await expect.poll(() => pageOf('/home'), { timeout: 1_000 }).toContain('Bài không ảnh hưởng bảng tính')
    expect(await page('/home')).toContain('Bài không ảnh hưởng bảng tính')
    expect(await page('/gem-calculator')).toBe(before.here)
    expect(await pageOf('/gem-calculator')).toBe(before.there)
  } finally {
    await other.close()
  }
})

test('a changed setting shows within a second on the pages of another process', async () => {
  const owner = (await anOperator(portal, 'owner')).token
  const other = await anotherProcess(portal)
  try {
    const home = async () => (await other.app.inject({ url: '/home' })).body
    expect(await home()).not.toContain('Cổng Tức Thì')
    await changeSettings(portal, { token: owner, values: { site_name: 'Cổng Tức Thì' } })
    await expect.poll(home, { timeout: 1_000, interval: 50 }).toContain('Cổng Tức Thì')
  } finally {
    await other.close()
  }
})
