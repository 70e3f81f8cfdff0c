import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'

const portal = useTestApp({ overrides: { withPages: true } })

const WAITS_MS = [3_000, 10_000, 40_000]

const schedule = async (title: string, waitMs: number) => {
  const { token } = await anOperator(portal, 'editor')
  const publishAt = Date.now() + waitMs
  const answer = await portal.call('POST', '/api/operator/posts', {
    token,
    body: {
      title,
      content: '<p>Hẹn trước.</p>',
      publish_at: new Date(publishAt).toISOString(),
      reason: 'Hẹn giờ',
    },
  })
  expect(answer.status).toBe(201)
  return { token, post: answer.body as { id: string; publish_at: string; updated_at: string } }
}

const text = async (url: string) => (await portal.app.inject({ url })).body

const places = ['/home', '/feed.xml', '/sitemap.xml', '/api/posts']
const shownOf = async (id: string, title: string) =>
  Promise.all(
    places.map(async (path) => (await text(path)).includes(path === '/sitemap.xml' ? `/post/${id}<` : title)),
  )

/** A post that was looked for everywhere before its moment, which a busy machine takes longer for. */
async function aScheduledPost() {
  for (const waitMs of WAITS_MS) {
    const title = `Bài hẹn giờ ${waitMs}`
    const { post } = await schedule(title, waitMs)
    const shown = await shownOf(post.id, title)
    const { status } = await portal.call('GET', `/api/posts/${post.id}`)
    const { statusCode } = await portal.app.inject({ url: `/post/${post.id}` })
    const at = Date.parse(post.publish_at)
    if (Date.now() < at) return { post, title, at, before: { shown, status, statusCode } }
  }
  throw new Error('this machine is too busy to look at a post before its moment')
}

test('a scheduled post appears everywhere at its moment, without a change of its row', async () => {
  const { post, title, at, before } = await aScheduledPost()
  expect(before).toEqual({ shown: places.map(() => false), status: 404, statusCode: 404 })
  const row = () =>
    portal.db.selectFrom('posts').selectAll().where('id', '=', post.id).executeTakeFirstOrThrow()
  const scheduled = await row()

  await sleep(Math.max(0, at - Date.now()))
  // The pages were cached a moment ago, for much longer than that, and the lists of posts for longer than this.
  await expect
    .poll(() => shownOf(post.id, title), { timeout: 5_000, interval: 100 })
    .toEqual(places.map(() => true))
  expect((await portal.call('GET', `/api/posts/${post.id}`)).body.created_at).toBe(post.publish_at)
  expect(await row()).toEqual(scheduled)
}, 120_000)

test('a post brought forward appears at once, and one put off disappears', async () => {
  const { token, post } = await schedule('Bài dời lịch', 3_600_000)
  expect(await text('/home')).not.toContain('Bài dời lịch')
  const put = (publish_at: string | null) =>
    portal.call('PUT', `/api/operator/posts/${post.id}`, {
      token,
      body: { title: 'Bài dời lịch', content: '<p>Hẹn trước.</p>', publish_at, reason: 'Dời lịch' },
    })
  expect((await put(null)).status).toBe(200)
  expect(await text('/home')).toContain('Bài dời lịch')
  await put(new Date(Date.now() + 3_600_000).toISOString())
  expect(await text('/home')).not.toContain('Bài dời lịch')
})
