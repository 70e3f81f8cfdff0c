import { beforeAll, describe, expect, test } from 'vitest'
import { anOperator } from '#tests/support/operators.ts'
import { useEditorsDesk } from './testing/editors-desk.ts'

const desk = useEditorsDesk()
let colleague: { token: string }
beforeAll(async () => {
  colleague = await anOperator(desk.portal, 'editor')
})

const asColleague = (method: 'GET' | 'PUT', path: string, body?: unknown) =>
  desk.portal.call(method, `/api/operator${path}`, {
    token: colleague.token,
    ...(method === 'GET' ? {} : { body: { reason: 'Sửa giúp', ...(body as object) } }),
  })

const restore = (id: string, revision: number, more: object = {}) =>
  desk.act('POST', `/posts/${id}/revisions/${revision}/restore`, { reason: 'Lấy lại bản cũ', ...more })

describe('a draft', () => {
  test('is its writer’s alone, apart from what is shown, and ends when the post is saved', async () => {
    const post = await desk.aPost()
    const draft = {
      title: 'Đang sửa',
      content: '<p onclick="x">Mới.</p>',
      excerpt: null,
      updated_at: post.updated_at,
    }
    const saved = await desk.act('PUT', `/posts/${post.id}/draft`, draft)
    expect(saved).toMatchObject({
      status: 200,
      body: { title: 'Đang sửa', content: '<p>Mới.</p>', based_on: post.updated_at },
    })
    expect((await desk.act('GET', `/posts/${post.id}`)).body).toEqual(post)
    expect((await desk.portal.call('GET', `/api/posts/${post.id}`)).body.title).toBe(post.title)
    expect((await desk.act('GET', `/posts/${post.id}/draft`)).body).toEqual({ draft: saved.body })
    expect((await asColleague('GET', `/posts/${post.id}/draft`)).body).toEqual({ draft: null })

    await desk.act('PUT', `/posts/${post.id}`, { title: 'Đã sửa', content: '<p>Mới.</p>' })
    expect((await desk.act('GET', `/posts/${post.id}/draft`)).body).toEqual({ draft: null })
    expect((await desk.trailOf('post', post.id)).map(({ action }) => action)).toEqual([
      'posts.create',
      'posts.update',
    ])
  })

  test('may be incomplete, and can be dropped', async () => {
    const post = await desk.aPost()
    const path = `/posts/${post.id}/draft`
    expect(
      (await desk.act('PUT', path, { title: '', content: '', updated_at: post.updated_at })).status,
    ).toBe(200)
    expect((await desk.act('DELETE', path)).status).toBe(204)
    expect((await desk.act('GET', path)).body).toEqual({ draft: null })
    expect((await desk.act('GET', '/posts/999999999/draft')).status).toBe(404)
  })

  test('of a post that a colleague has saved meanwhile is refused with what is there now', async () => {
    const post = await desk.aPost()
    const theirs = await asColleague('PUT', `/posts/${post.id}`, { ...post, title: 'Của đồng nghiệp' })
    const mine = { title: 'Của tôi', content: post.content, updated_at: post.updated_at }
    for (const path of [`/posts/${post.id}/draft`, `/posts/${post.id}`]) {
      expect(await desk.act('PUT', path, mine)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', present: theirs.body },
      })
    }
  })
})

describe('revisions', () => {
  test('hold each saved state with its editor, the newest first', async () => {
    const post = await desk.aPost({ title: 'Một' })
    await asColleague('PUT', `/posts/${post.id}`, { ...post, title: 'Hai', published: false })
    const { body } = await desk.act('GET', `/posts/${post.id}/revisions`)
    expect(body).toMatchObject([
      { revision: 2, title: 'Hai', published: false },
      { revision: 1, title: 'Một', published: true, saved_by: { username: desk.editor.username } },
    ])
    expect(body[0].saved_by.username).not.toBe(desk.editor.username)
  })

  test('begin with what the post was before there were any', async () => {
    const { id } = await desk.portal.db
      .insertInto('posts')
      .values({ title: 'Từ trước', content: '<p>Cũ.</p>', excerpt: 'Cũ.' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await desk.act('PUT', `/posts/${id}`, { title: 'Bây giờ', content: '<p>Mới.</p>' })
    const { body } = await desk.act('GET', `/posts/${id}/revisions`)
    expect(body.map(({ title, saved_by }: any) => [title, saved_by?.username ?? null])).toEqual([
      ['Bây giờ', desk.editor.username],
      ['Từ trước', null],
    ])
  })

  test('are restored as a new one: the text comes back, and whether the post is shown stays', async () => {
    const category = await desk.aCategory()
    const post = await desk.aPost({ title: 'Bản đầu', content: '<p>Đầu.</p>', category_ids: [category.id] })
    const hidden = await desk.act('PUT', `/posts/${post.id}`, {
      title: 'Bản hai',
      content: '<p>Hai.</p>',
      published: false,
      category_ids: [],
    })
    const restored = await restore(post.id, 1, { updated_at: hidden.body.updated_at })
    expect(restored).toMatchObject({
      status: 200,
      body: { title: 'Bản đầu', content: '<p>Đầu.</p>', category_ids: [category.id], published: false },
    })
    expect((await desk.act('GET', `/posts/${post.id}/revisions`)).body).toHaveLength(3)
    const last = (await desk.trailOf('post', post.id)).at(-1)
    expect(last).toMatchObject({
      action: 'posts.restore',
      reason: 'Lấy lại bản cũ',
      details: { revision: '1', before: { title: 'Bản hai' }, after: { title: 'Bản đầu' } },
    })
  })

  test('are restored once for a key, not over a newer change, and not without a reason', async () => {
    const post = await desk.aPost({ title: 'Gốc' })
    await desk.act('PUT', `/posts/${post.id}`, { ...post, title: 'Sau' })
    const path = `/api/operator/posts/${post.id}/revisions/1/restore`
    const sent = { token: desk.editor.token, body: { reason: 'Lấy lại' }, key: `khoa-${post.id}` }
    const answers = [await desk.portal.call('POST', path, sent), await desk.portal.call('POST', path, sent)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect((await restore(post.id, 2, { updated_at: post.updated_at })).status).toBe(409)
    expect((await restore(post.id, 2, { reason: ' ' })).body.errors).toHaveProperty('reason')
    expect((await restore(post.id, 99)).status).toBe(404)
  })

  test('are a hundred at most', async () => {
    const post = await desk.aPost()
    await desk.portal.db
      .insertInto('post_revision')
      .values(
        Array.from({ length: 120 }, (_, n) => ({
          post_id: post.id,
          revision: n + 2,
          state: JSON.stringify({ title: 'x', published: true, publish_at: post.publish_at }),
          pictures: [],
          saved_at: new Date(),
        })),
      )
      .execute()
    await desk.act('PUT', `/posts/${post.id}`, { title: 'Mới', content: '<p>m</p>' })
    const { body } = await desk.act('GET', `/posts/${post.id}/revisions`)
    expect([body.length, body[0].revision, body.at(-1).revision]).toEqual([100, 122, 23])
  })
})

describe('the preview', () => {
  test('shows the draft, else the post, or a named revision, as a player would read it', async () => {
    const post = await desk.aPost({ content: '<p>Đã lưu.</p>', published: false })
    const preview = (query = '') => desk.act('GET', `/posts/${post.id}/preview${query}`)
    expect((await preview()).body).toMatchObject({
      content: '<p>Đã lưu.</p>',
      author: 'Admin',
      excerpt: 'Đã lưu.',
    })
    // Past the rules: what is shown is made safe again.
    await desk.portal.db
      .updateTable('posts')
      .set({ content: '<p>Đã lưu.<script>alert(1)</script></p>' })
      .where('id', '=', post.id)
      .execute()
    expect((await preview()).body.content).toBe('<p>Đã lưu.</p>')
    await desk.act('PUT', `/posts/${post.id}/draft`, {
      title: 'Nháp',
      content: '<p>Nháp.</p>',
      updated_at: post.updated_at,
    })
    expect((await preview()).body).toMatchObject({ title: 'Nháp', content: '<p>Nháp.</p>', excerpt: 'Nháp.' })
    expect((await preview('?revision=1')).body).toMatchObject({
      title: post.title,
      content: '<p>Đã lưu.</p>',
    })
    expect((await preview('?revision=9')).status).toBe(404)
    expect((await asColleague('GET', `/posts/${post.id}/preview`)).body.title).toBe(post.title)
  })
})
