import { type Planted, plantPost } from './testing/planted-posts.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aTournament } from '#tests/support/tournaments.ts'

const SITE = 'https://ninja.example'
const portal = useTestApp({ overrides: { publicUrl: SITE } })

const get = (path: string, headers?: Record<string, string>) =>
  portal.call('GET', path, headers === undefined ? {} : { headers })

const plant = (title: string, fields: Partial<Planted> = {}) => plantPost(portal, { title, ...fields })

const ENTITY = /&(?:amp|lt|gt|quot|apos);/g

/** What is wrong with the XML we wrote; a reader stricter than most, which refuses what it does not know. */
function faultsOf(xml: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  const [declaration, ...rest] = xml.split('?>\n')
  if (declaration !== '<?xml version="1.0" encoding="UTF-8"') faults.push('no declaration')
  const body = rest.join('?>\n')
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(body) || !body.isWellFormed()) {
    faults.push('a character XML cannot hold')
  }
  const tag = /<(?<close>\/?)(?<name>[a-z]+)(?<attributes>(?: [a-z:]+="[^"<]*")*)(?<empty>\/?)>/g
  for (const [, close, name = '', attributes = '', empty] of body.matchAll(tag)) {
    if (attributes.replace(ENTITY, '').includes('&')) faults.push(`an unescaped & in ${attributes}`)
    if (close === '/' && open.pop() !== name) faults.push(`${name} is closed but not open`)
    if (close === '' && empty === '') open.push(name)
  }
  if (open.length > 0) faults.push(`left open: ${open.join(', ')}`)
  const text = body.replace(tag, '').replace(ENTITY, '')
  if (/[<>&]/.test(text)) faults.push('an unescaped sign in the text')
  return faults
}

test('the Atom feed of a portal without posts is the same at every time', async () => {
  const first = await get('/feed.xml')
  expect(first.body).not.toContain('<entry>')
  expect(faultsOf(first.body)).toEqual([])
  await sleep(5)
  expect((await get('/feed.xml', { 'if-none-match': String(first.headers.etag) })).status).toBe(304)
})

test('the Atom feed has the newest 20 posts, hostile ones included, as well-formed XML', async () => {
  for (let n = 0; n < 25; n++) await plant(`Bài ${n}`)
  const draft = await plant('Bản nháp', { isPublished: false })
  const hostile = await plant(`]]></title><script>"'&amp; \u0001\u000b\uffff 🐉`, {
    excerpt: '<b>&nbsp;</b>',
  })
  const { status, headers, body } = await get('/feed.xml')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  expect(faultsOf(body)).toEqual([])
  expect(body.match(/<entry>/g)).toHaveLength(20)
  expect(body).toContain(`<id>${SITE}/post/${hostile}</id>`)
  expect(body).toContain(`<title>]]&gt;&lt;/title&gt;&lt;script&gt;&quot;&apos;&amp;amp;  🐉</title>`)
  expect(body).toContain(`<summary>&lt;b&gt;&amp;nbsp;&lt;/b&gt;</summary>`)
  expect(body).not.toContain(`/post/${draft}<`)
  expect(body).toContain('<title>Tinh Hoa Ninja</title>')
  expect(body).toMatch(/<updated>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z<\/updated>/)
})

test('the sitemap lists the open pages, categories and posts with their dates', async () => {
  const category = await portal.db
    .insertInto('categories')
    .values({ title: 'Tin' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const post = await plant('Trong sơ đồ')
  const draft = await plant('Bản nháp', { isPublished: false })
  await portal.db.insertInto('post_categories').values({ post_id: post, category_id: category.id }).execute()
  const changed = '2026-05-06T07:08:09.000Z'
  await portal.db
    .updateTable('posts')
    .set({ updated_at: changed, publish_at: changed })
    .where('id', '=', post)
    .execute()
  const tournament = await aTournament(portal, 'Giải')
  const { headers, body } = await get('/sitemap.xml')
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(faultsOf(body)).toEqual([])
  expect(body).toContain(`<url><loc>${SITE}/post/${post}</loc><lastmod>${changed}</lastmod></url>`)
  expect(body).toContain(`<url><loc>${SITE}/category/${category.id}</loc><lastmod>${changed}</lastmod></url>`)
  const pages = ['home', 'community', 'download', 'download/ios', 'gem-calculator', 'tournaments']
  for (const page of [...pages, `tournament/${tournament}`])
    expect(body).toContain(`<loc>${SITE}/${page}</loc>`)
  expect(body).not.toContain(`/post/${draft}<`)
})

test('the sitemap never has more than 5,000 addresses', async () => {
  await portal.db
    .insertInto('posts')
    .values(Array.from({ length: 5_100 }, (_, n) => ({ title: `Bài ${n}`, content: 'x', excerpt: 'x' })))
    .execute()
  const { body } = await get('/sitemap.xml')
  expect(faultsOf(body)).toEqual([])
  expect(body.match(/<url>/g)).toHaveLength(5_000)
})

test('robots find the sitemap and may not read players’ pages', async () => {
  const { headers, body } = await get('/robots.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const lines = body.split('\n')
  expect(lines).toContain('Allow: /')
  expect(lines).toContain(`Sitemap: ${SITE}/sitemap.xml`)
  for (const path of ['/api/', '/user/', '/recharge', '/exchange', '/gift', '/password/']) {
    expect(lines).toContain(`Disallow: ${path}`)
  }
  for (const path of ['/home', '/post/', '/category/']) expect(body).not.toContain(`Disallow: ${path}`)
})

test('a reader with the current version gets 304, until it changes', async () => {
  for (const path of ['/feed.xml', '/sitemap.xml', '/robots.txt']) {
    const first = await get(path)
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('public, max-age=60')
    const again = await get(path, { 'if-none-match': `"other", W/${etag}` })
    expect(again).toMatchObject({ status: 304, body: '' })
  }
  const etag = String((await get('/feed.xml')).headers.etag)
  await plant('Bài rất mới')
  expect((await get('/feed.xml', { 'if-none-match': etag })).status).toBe(200)
})
