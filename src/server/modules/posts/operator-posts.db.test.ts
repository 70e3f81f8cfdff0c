import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { trailRows } from '#tests/support/trail-rows.ts'
import { listQuery, useEditorsDesk } from './testing/editors-desk.ts'

const desk = useEditorsDesk()

describe('a post', () => {
  test('is written with the values a new one has', async () => {
    const post = await desk.aPost({ title: '  Lễ hội \n đèn lồng ', content: '<p>Mười ngày <b>vui</b>.</p>' })
    expect(post).toMatchObject({
      title: 'Lễ hội đèn lồng',
      content: '<p>Mười ngày <strong>vui</strong>.</p>',
      excerpt: 'Mười ngày vui.',
      cover: null,
      new: true,
      pinned: false,
      published: true,
      category_ids: [],
      views: 0,
    })
    expect((await desk.portal.call('GET', `/api/posts/${post.id}`)).body).toMatchObject({
      title: 'Lễ hội đèn lồng',
      author: 'Admin',
    })
  })

  test('is stored without what could run in a reader’s browser', async () => {
    const post = await desk.aPost({
      content: '<p onclick="x">a</p><script>alert(1)</script><img src=x onerror=alert(1)>',
    })
    const posts = desk.portal.db.selectFrom('posts').select('content').where('id', '=', post.id)
    expect((await posts.executeTakeFirstOrThrow()).content).toBe('<p>a</p>')
  })

  test('has the fields unchanged that a change leaves out or sends as null', async () => {
    const category = await desk.aCategory()
    const unchanged = {
      cover: '/images/covers/a',
      excerpt: 'Tóm tắt riêng',
      new: false,
      pinned: true,
      published: false,
      category_ids: [category.id],
    }
    const post = await desk.aPost(unchanged)
    const { body } = await desk.act('PUT', `/posts/${post.id}`, {
      title: 'Đổi tên',
      content: '<p>Khác.</p>',
      new: null,
      pinned: null,
      published: null,
      category_ids: null,
    })
    expect(body).toMatchObject({ title: 'Đổi tên', content: '<p>Khác.</p>', ...unchanged })
  })

  test('loses its cover and its own excerpt when a form clears them', async () => {
    const post = await desk.aPost({ cover: '/images/covers/a', excerpt: 'Tóm tắt riêng' })
    const { body } = await desk.act('PUT', `/posts/${post.id}`, { ...post, cover: null, excerpt: null })
    expect(body).toMatchObject({ cover: null, excerpt: 'Chợ đã mở.' })
  })

  test('gets a new excerpt with its new text when the old one was made of the old text', async () => {
    const post = await desk.aPost()
    const { body } = await desk.act('PUT', `/posts/${post.id}`, { ...post, content: '<p>Chợ đã đóng.</p>' })
    expect(body.excerpt).toBe('Chợ đã đóng.')
  })

  test('moves between categories, each named once', async () => {
    const [first, second] = [await desk.aCategory('Một'), await desk.aCategory('Hai')]
    const post = await desk.aPost({ category_ids: [first.id] })
    const ids = [second.id, second.id, first.id]
    const moved = await desk.act('PUT', `/posts/${post.id}`, { ...post, category_ids: ids })
    expect(moved.body.category_ids).toEqual([first.id, second.id])
    const taken = await desk.act('PUT', `/posts/${post.id}`, { ...moved.body, category_ids: [] })
    expect(taken.body.category_ids).toEqual([])
  })

  test('is gone once deleted, and the answer has what it was', async () => {
    const post = await desk.aPost()
    const removed = await desk.act('DELETE', `/posts/${post.id}`)
    expect(removed).toMatchObject({ status: 200, body: { id: post.id, title: post.title } })
    expect((await desk.portal.call('GET', `/api/posts/${post.id}`)).status).toBe(404)
    for (const [method, body] of [['GET'], ['PUT', post], ['DELETE']] as const) {
      expect((await desk.act(method, `/posts/${post.id}`, body)).status).toBe(404)
    }
  })

  test.each([
    ['title', { title: '   ' }],
    ['title', { title: '\u0000\u0001' }],
    ['title', { title: 'a'.repeat(201) }],
    ['content', { content: '' }],
    ['content', { content: '<script>alert(1)</script> ' }],
    ['cover', { cover: 'https://evil.example/x' }],
    ['cover', { cover: '/images/../x' }],
    ['category_ids', { category_ids: ['999999999'] }],
    ['category_ids.0', { category_ids: ['1 OR 1=1'] }],
    ['published', { published: 'yes' }],
    ['publish_at', { publish_at: 'ngày mai' }],
    ['content', { content: `<img src="/uploads/${'0'.repeat(32)}-640.webp">` }],
    ['cover', { cover: `/uploads/${'0'.repeat(32)}` }],
  ])('is refused with a wrong %s', async (field, fields) => {
    const answer = await desk.act('POST', '/posts', { title: 'T', content: '<p>c</p>', ...fields })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('takes a NUL and half a character without harm', async () => {
    const post = await desk.aPost({ title: 'a\u0000b\ud800', content: '<p>c\u0000d</p>' })
    expect(post).toMatchObject({ title: 'ab', content: '<p>cd</p>' })
  })

  test('of several editors who saw the same text one saves, and the others are shown what is there now', async () => {
    const post = await desk.aPost()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => desk.act('PUT', `/posts/${post.id}`, { ...post, title: `Bản ${n}` })),
    )
    const saved = answers.filter(({ status }) => status === 200)
    expect(saved).toHaveLength(1)
    for (const { body } of answers.filter(({ status }) => status !== 200)) {
      expect(body).toMatchObject({ code: 'CONFLICT', present: saved[0]?.body })
    }
    expect(await desk.trailOf('post', post.id)).toHaveLength(2)
  })

  test('editors who send no version leave one of the texts, and a row in the trail for each', async () => {
    const { updated_at: _, ...post } = await desk.aPost()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => desk.act('PUT', `/posts/${post.id}`, { ...post, title: `Bản ${n}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await desk.trailOf('post', post.id)
    expect(rows).toHaveLength(5)
    // Each one's "before" is the "after" of the one that went first.
    const steps = rows.map((row) => row.details as any)
    expect(steps.slice(1).map((step) => step.before)).toEqual(steps.slice(0, -1).map((step) => step.after))
  })
})

describe('the list of posts', () => {
  test('sorts, cuts and counts', async () => {
    const marker = `Danh mục ${Date.now()}`
    for (const n of [3, 1, 2]) await desk.aPost({ title: `${marker} ${n}` })
    const answer = await desk.act(
      'GET',
      `/posts${listQuery({ sort: ['title', 'DESC'], range: [1, 2], filter: { q: marker.toUpperCase() } })}`,
    )
    expect(answer.body.map((post: any) => post.title)).toEqual([`${marker} 2`, `${marker} 1`])
    expect(answer.headers['content-range']).toBe('posts 1-2/3')
  })

  test('filters by category, by being published and by ids', async () => {
    const category = await desk.aCategory()
    const shown = await desk.aPost({ category_ids: [category.id] })
    const draft = await desk.aPost({ category_ids: [category.id], published: false })
    const ids = async (filter: Record<string, unknown>) =>
      (await desk.act('GET', `/posts${listQuery({ filter })}`)).body.map((post: any) => post.id)
    expect(await ids({ category_id: category.id })).toEqual([shown.id, draft.id])
    expect(await ids({ category_id: Number(category.id), published: false })).toEqual([draft.id])
    expect(await ids({ id: [draft.id, Number(shown.id)] })).toEqual([shown.id, draft.id])
    expect(await ids({ id: [] })).toEqual([])
  })

  test('a search takes its signs literally', async () => {
    const post = await desk.aPost({ title: 'Giảm 50%_\\ giá' })
    const found = await desk.act('GET', `/posts${listQuery({ filter: { q: '50%_\\' } })}`)
    expect(found.body.map((row: any) => row.id)).toEqual([post.id])
    const none = await desk.act('GET', `/posts${listQuery({ filter: { q: "' OR 1=1 --" } })}`)
    expect(none).toMatchObject({ status: 200, body: [] })
  })

  test.each([
    { sort: ['content', 'ASC'] },
    { sort: ['title; DROP TABLE posts', 'ASC'] },
    { sort: ['title', 'ASC; SELECT 1'] },
    { range: [5, 1] },
    { range: [-1, 1] },
    { filter: { title: 'x' } },
    { filter: { q: 5 } },
    { filter: { category_id: 'x' } },
    { filter: { category_id: ['1', '2'] } },
    { filter: { published: 'true' } },
    { filter: { id: ["1' OR '1'='1"] } },
  ])('refuses %j', async (query) => {
    expect(await desk.act('GET', `/posts${listQuery(query)}`)).toMatchObject({ status: 422 })
  })

  test('far beyond the last row it is empty', async () => {
    const answer = await desk.act('GET', `/posts${listQuery({ range: [1_000_000_000, 1_000_000_024] })}`)
    expect(answer).toMatchObject({ status: 200, body: [] })
  })
})

describe('a category', () => {
  test('is made at the end, changed, and deleted without its posts', async () => {
    const first = await desk.aCategory('Đầu')
    const made = await desk.act('POST', '/categories', { title: ' Hướng  dẫn ', description: ' Từng bước ' })
    expect(made).toMatchObject({ status: 201, body: { title: 'Hướng dẫn', description: 'Từng bước' } })
    expect(made.body.position).toBeGreaterThan(first.position)
    const id = made.body.id as string

    const changed = await desk.act('PUT', `/categories/${id}`, { title: 'Cẩm nang' })
    const { updated_at } = changed.body
    expect(changed.body).toEqual({ ...made.body, title: 'Cẩm nang', updated_at })
    expect(updated_at > made.body.updated_at).toBe(true)
    expect(
      await desk.act('PUT', `/categories/${id}`, { ...made.body, title: 'Của người khác' }),
    ).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', present: changed.body },
    })
    expect((await desk.act('GET', `/categories/${id}`)).body).toEqual(changed.body)

    const post = await desk.aPost({ category_ids: [id] })
    expect((await desk.act('DELETE', `/categories/${id}`)).body).toEqual(changed.body)
    expect((await desk.act('GET', `/posts/${post.id}`)).body.category_ids).toEqual([])
    expect((await desk.act('GET', `/categories/${id}`)).status).toBe(404)
    expect((await desk.act('PUT', `/categories/${id}`, { title: 'x' })).status).toBe(404)
    expect((await desk.act('DELETE', `/categories/${id}`)).status).toBe(404)
  })

  test('is in a list that sorts in Vietnamese order and filters', async () => {
    const made = await Promise.all(
      ['Ê thử xếp', 'E thử xếp', 'Đ thử xếp'].map((title) => desk.aCategory(title)),
    )
    const titles = async (query: Record<string, unknown>) =>
      (await desk.act('GET', `/categories${listQuery(query)}`)).body.map((row: any) => row.title)
    expect(await titles({ sort: ['title', 'ASC'], filter: { q: 'thử xếp' } })).toEqual([
      'Đ thử xếp',
      'E thử xếp',
      'Ê thử xếp',
    ])
    expect(await titles({ filter: { id: [made[1]?.id] } })).toEqual(['E thử xếp'])
    expect((await desk.act('GET', `/categories${listQuery({ filter: { q: 1 } })}`)).status).toBe(422)
  })

  test('needs a title, and an id that is one', async () => {
    expect((await desk.act('POST', '/categories', { title: ' ' })).body.errors).toHaveProperty('title')
    expect((await desk.act('POST', '/categories', { title: '\u0001' })).body.errors).toHaveProperty('title')
    expect((await desk.act('GET', '/categories/abc')).status).toBe(422)
  })
})

describe('the trail', () => {
  test('holds each act with what was before and after, and of the text only its hash', async () => {
    const post = await desk.aPost({ content: '<p>Bí mật biên tập.</p>', excerpt: 'Tóm tắt' })
    await desk.act('PUT', `/posts/${post.id}`, { ...post, title: 'Mới' })
    await desk.act('DELETE', `/posts/${post.id}`)
    const rows = await desk.trailOf('post', post.id)
    expect(rows.map((row) => row.action)).toEqual(['posts.create', 'posts.update', 'posts.delete'])
    for (const row of rows) {
      expect(row).toMatchObject({ actor_kind: 'operator', actor_id: desk.editor.id })
      expect(row.request_id).toMatch(/^[0-9a-f-]{36}$/)
      expect(JSON.stringify(row.details)).not.toContain('Bí mật')
    }
    const content = {
      sha256: createHash('sha256').update('<p>Bí mật biên tập.</p>').digest('hex'),
      length: '<p>Bí mật biên tập.</p>'.length,
    }
    expect(rows[0]?.details).toMatchObject({ before: null, after: { title: 'Chợ đêm', content } })
    expect(rows[1]?.details).toMatchObject({ before: { title: 'Chợ đêm' }, after: { title: 'Mới', content } })
    expect(rows[2]?.details).toMatchObject({ before: { title: 'Mới' }, after: null })
  })

  test('holds acts on categories too', async () => {
    const { updated_at: _, ...category } = await desk.aCategory('Sẽ xóa')
    await desk.act('PUT', `/categories/${category.id}`, { title: 'Sắp xóa' })
    await desk.act('DELETE', `/categories/${category.id}`)
    const rows = await desk.trailOf('category', category.id)
    expect(rows.map((row) => [row.action, row.details])).toEqual([
      ['categories.create', { before: null, after: category }],
      ['categories.update', { before: category, after: { ...category, title: 'Sắp xóa' } }],
      ['categories.delete', { before: { ...category, title: 'Sắp xóa' }, after: null }],
    ])
  })

  test('has no row for an act that was refused', async () => {
    const count = async () => (await trailRows(desk.portal, {})).length
    const before = await count()
    await desk.act('POST', '/posts', { title: 'T', content: '<p>c</p>', category_ids: ['999999999'] })
    await desk.act('PUT', '/posts/999999999', { title: 'T', content: '<p>c</p>' })
    expect(await count()).toBe(before)
  })
})
