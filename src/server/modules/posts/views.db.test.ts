import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { countView } from './index.ts'
import { flushViews, purgeViews } from './views.service.ts'

let now = new Date()
const portal = useTestApp({ overrides: { clock: { now: () => now } } })
let postId: string

const PHONE = 'Mozilla/5.0 (Linux; Android 13; SM-A145F) Chrome/120 Mobile Safari/537.36'
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

beforeEach(async () => {
  now = new Date('2026-11-20T03:00:00Z')
  await portal.db.deleteFrom('post_view').execute()
  postId = await aPost()
})

/** Without a notice that posts changed: the last test counts notices. */
async function aPost(isPublished = true): Promise<string> {
  const { id } = await portal.db
    .insertInto('posts')
    .values({ title: 'Bài', content: '<p>Chữ.</p>', excerpt: 'Chữ.', is_published: isPublished })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const visit = (address: string, userAgent = PHONE, id = postId) =>
  countView(portal.deps, { postId: id, address, userAgent })

async function viewsOf(id = postId): Promise<number> {
  await flushViews(portal.deps)
  const row = await portal.db
    .selectFrom('posts')
    .select('views')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(row.views)
}

test('a visitor counts once a day, on any way to the post, and again the next day', async () => {
  for (let n = 0; n < 3; n++) {
    await portal.call('GET', `/api/posts/${postId}`, { headers: { 'user-agent': PHONE } })
    visit('127.0.0.1')
  }
  expect(await viewsOf()).toBe(1)
  visit('127.0.0.1')
  expect(await viewsOf()).toBe(1)
  now = new Date('2026-11-20T18:00:00Z')
  visit('127.0.0.1')
  expect(await viewsOf()).toBe(2)
})

test('a view that cannot be written leaves those of the same moment', async () => {
  const other = await aPost()
  await asOwner(
    portal,
    `ALTER TABLE post_view ADD CONSTRAINT poisoned CHECK (post_id <> ${postId}) NOT VALID`,
  )
  for (const id of [other, postId, other]) visit(`203.0.113.${id}`, PHONE, id)
  visit('203.0.113.250', PHONE, other)
  const flushed = await flushViews(portal.deps).catch(String)
  await asOwner(portal, 'ALTER TABLE post_view DROP CONSTRAINT poisoned')
  expect(flushed).toBeUndefined()
  expect([await viewsOf(other), await viewsOf()]).toEqual([2, 0])
})

test('another address or another phone is another visitor', async () => {
  visit('203.0.113.1')
  visit('203.0.113.2')
  visit('203.0.113.2', `${PHONE} Zalo`)
  expect(await viewsOf()).toBe(3)
})

test('robots, drafts and posts that are not there count for nothing and do not stop the rest', async () => {
  const draft = await aPost(false)
  await portal.call('GET', `/api/posts/${postId}`, { headers: { 'user-agent': GOOGLE } })
  visit('203.0.113.1', GOOGLE)
  visit('203.0.113.1', PHONE, draft)
  visit('203.0.113.1', PHONE, '999999')
  visit('203.0.113.1', PHONE, "1'; DROP TABLE posts --")
  visit('203.0.113.1')
  expect(await viewsOf()).toBe(1)
  expect(await viewsOf(draft)).toBe(0)
})

test('a post that is not found is not counted', async () => {
  const draft = await aPost(false)
  expect((await portal.call('GET', `/api/posts/${draft}`)).status).toBe(404)
  expect(await viewsOf(draft)).toBe(0)
})

test('the address and the agent cannot be read back', async () => {
  visit('203.0.113.1')
  now = new Date('2026-11-21T03:00:00Z')
  visit('203.0.113.1')
  await flushViews(portal.deps)
  const rows = await portal.db.selectFrom('post_view').selectAll().execute()
  expect(rows).toHaveLength(2)
  expect(rows[0]?.visitor).toHaveLength(16)
  // Salted again each day: the same visitor of two days cannot be joined.
  expect(rows[0]?.visitor.equals(rows[1]?.visitor as Buffer)).toBe(false)
  expect(portal.logged()).not.toContain('203.0.113.1')
})

test('visitors of past days are deleted, those of today and yesterday and the figure stay', async () => {
  visit('203.0.113.1')
  now = new Date('2026-11-21T03:00:00Z')
  visit('203.0.113.1')
  await flushViews(portal.deps)
  expect(await purgeViews(portal.deps)).toBe(false)
  expect(await portal.db.selectFrom('post_view').selectAll().execute()).toHaveLength(2)
  now = new Date('2026-11-22T03:00:00Z')
  await purgeViews(portal.deps)
  expect(await portal.db.selectFrom('post_view').selectAll().execute()).toHaveLength(1)
  expect(await viewsOf()).toBe(2)
})

test('thousands of views are written in batches, each counted', async () => {
  const other = await aPost()
  for (let n = 0; n < 2_500; n++) visit(`198.51.${n >> 8}.${n & 255}`, PHONE, n % 2 === 0 ? postId : other)
  expect(await viewsOf()).toBe(1_250)
  expect(await viewsOf(other)).toBe(1_250)
})

test('two processes that write at once do not lose or double a view', async () => {
  const second = { ...portal.deps, db: portal.db.withoutPlugins() }
  const posts = await Promise.all(Array.from({ length: 8 }, () => aPost()))
  for (let n = 0; n < 200; n++) {
    for (const id of n % 2 === 0 ? posts : posts.toReversed()) {
      countView(portal.deps, { postId: id, address: `198.51.100.${n}`, userAgent: PHONE })
      countView(second, { postId: id, address: `198.51.100.${n}`, userAgent: PHONE })
    }
  }
  await Promise.all([flushViews(portal.deps), flushViews(second)])
  for (const id of posts) expect(await viewsOf(id)).toBe(200)
})

test('counting neither changes the post’s date nor drops cached pages', async () => {
  let notified = 0
  portal.deps.listener.on('content_changed', () => void notified++)
  const before = (await portal.call('GET', `/api/posts/${postId}`)).body
  expect(await viewsOf()).toBe(1)
  const after = (await portal.call('GET', `/api/posts/${postId}`)).body
  expect(after).toEqual({ ...before, views: 1 })
  expect(notified).toBe(0)
})

// Last, since it closes the portal.
test('what waits is written when the portal closes', async () => {
  visit('203.0.113.1')
  await portal.app.close()
  const row = await portal.db
    .selectFrom('posts')
    .select('views')
    .where('id', '=', postId)
    .executeTakeFirstOrThrow()
  expect(row.views).toBe('1')
})
