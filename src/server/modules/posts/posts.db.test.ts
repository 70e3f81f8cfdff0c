import { describe, expect, test } from 'vitest'
import { anAddress } from '#tests/support/players.ts'
import { useTestApp } from '#tests/support/app.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { plantCategory, type Planted, plantPost } from './testing/planted-posts.ts'

const portal = useTestApp()

const plant = (fields: Partial<Planted> = {}) => plantPost(portal, fields)
const aCategory = (title: string, position?: number) => plantCategory(portal, title, position)

const idsOf = (answer: { body: any }): string[] => answer.body.map((post: { id: string }) => post.id)
const page = (query: string) => portal.call('GET', `/api/posts?${query}`)

/** Reads on until there is no more, as a reader who scrolls. */
async function readAll(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const read: string[] = []
  for (let before = ''; ; before = `&before=${read.at(-1)}`) {
    const answer = await page(`${query}${before}`)
    expect(answer.status).toBe(200)
    if (answer.body.length === 0) return read
    read.push(...idsOf(answer))
    await between()
  }
}

describe('the list', () => {
  test('of the newest posts is read from memory until posts change, the others never', async () => {
    await plant({ title: 'Trước' })
    expect((await page('')).body[0].title).toBe('Trước')
    expect(await statementsOf(() => page(''))).toEqual([])
    expect(await statementsOf(() => portal.call('GET', '/api/categories').then(() => page('')))).toHaveLength(
      1,
    )
    const [first] = idsOf(await page('limit=1'))
    expect(await statementsOf(() => page(`limit=1&before=${first}`))).not.toEqual([])
    expect(await statementsOf(() => page(`limit=1&before=${first}`))).not.toEqual([])
    await plant({ title: 'Sau' })
    expect((await page('')).body[0].title).toBe('Sau')
  })

  test('is written once, with a tag by which it is not sent again', async () => {
    await plant({ title: 'Một lần' })
    const first = await page('')
    const { etag } = first.headers
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
    const conditional = (tag: string) =>
      portal.call('GET', '/api/posts', { headers: { 'if-none-match': tag } })
    const again = await conditional(String(etag))
    expect([again.status, again.body]).toEqual([304, ''])
    await plant({ title: 'Hai lần' })
    const changed = await conditional(String(etag))
    expect([changed.status, changed.body[0].title]).toEqual([200, 'Hai lần'])
    expect(changed.headers.etag).not.toBe(etag)
  })

  test('is the newest first, pinned ones above, drafts left out', async () => {
    const category = await aCategory('Thứ tự')
    const at = (day: number, more: Partial<Planted> = {}) =>
      plant({ publishAt: `2026-01-0${day}T00:00:00Z`, categories: [category], ...more })
    const [old, pinnedOld, middle, draft, newest, pinnedNew] = [
      await at(1),
      await at(2, { isPinned: true }),
      await at(3),
      await at(4, { isPublished: false }),
      await at(5),
      await at(6, { isPinned: true }),
    ]
    const expected = [pinnedNew, pinnedOld, newest, middle, old]
    expect(idsOf(await page(`category=${category}`))).toEqual(expected)
    expect(expected).not.toContain(draft)
    for (const limit of [1, 2, 3, 4, 5]) {
      expect(await readAll(`category=${category}&limit=${limit}`)).toEqual(expected)
    }
    expect(await readAll('limit=2')).toEqual(await readAll('limit=50'))
  })

  test('has neither repeats nor gaps while new posts appear, also where moments are equal', async () => {
    const category = await aCategory('Dồn dập')
    const expected: string[] = []
    for (let n = 0; n < 30; n++) {
      const publishAt = `2026-02-01T00:00:00.${n < 15 ? '123456' : '123457'}Z`
      expected.unshift(await plant({ publishAt, categories: [category], isPinned: n === 7 || n === 20 }))
    }
    const pinned = [expected[29 - 20], expected[29 - 7]] as string[]
    const order = [...pinned, ...expected.filter((id) => !pinned.includes(id))]
    const appearing = () => plant({ categories: [category] })
    expect(await readAll(`category=${category}&limit=7`, appearing)).toEqual(order)
  })

  test('continues at the position of a post that was deleted or hidden meanwhile', async () => {
    const category = await aCategory('Bị xóa')
    const ids: string[] = []
    for (let n = 0; n < 9; n++) ids.unshift(await plant({ categories: [category] }))
    await portal.db
      .deleteFrom('posts')
      .where('id', '=', ids[2] as string)
      .execute()
    expect(idsOf(await page(`category=${category}&before=${ids[2]}&limit=3`))).toEqual(ids.slice(3, 6))
    await portal.db
      .updateTable('posts')
      .set({ is_published: false })
      .where('id', '=', ids[5] as string)
      .execute()
    expect(idsOf(await page(`category=${category}&before=${ids[5]}&limit=3`))).toEqual(ids.slice(6, 9))
  })

  test('shows 20 unless the query has another number up to 50', async () => {
    for (let n = 0; n < 55; n++) await plant()
    expect((await page('')).body).toHaveLength(20)
    expect((await page('limit=50')).body).toHaveLength(50)
  })

  test.each([
    'limit=0',
    'limit=51',
    'limit=-1',
    'limit=1.5',
    'limit=1e9',
    'limit=x',
    'before=0',
    'before=abc',
    'before=1;DROP TABLE posts',
    'before=9999999999999999999',
    'category=1 OR 1=1',
    "category='",
    'before=1&before=2',
  ])('refuses %s', async (query) => {
    expect(await page(query)).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
  })

  test('of an unknown category is empty, as is the page before the first post', async () => {
    expect((await page('category=999999999')).body).toEqual([])
    const first = await portal.db
      .selectFrom('posts')
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(BigInt(first.id)).toBe(1n)
    await portal.db.deleteFrom('posts').where('id', '=', '1').execute()
    expect((await page('before=1')).body).toEqual([])
  })
})

describe('a post', () => {
  test('has exactly its fields', async () => {
    const category = await aCategory('Đủ trường')
    const id = await plant({
      title: 'Một < hai & "ba"',
      cover: '/images/covers/a',
      publishAt: '2026-03-01T01:02:03Z',
      categories: [category],
    })
    const { status, body } = await portal.call('GET', `/api/posts/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      title: 'Một < hai & "ba"',
      new: true,
      views: 0,
      created_at: '2026-03-01T01:02:03.000Z',
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      excerpt: 'Chữ.',
      cover: '/images/covers/a',
      category_ids: [category],
      content: '<p>Chữ.</p>',
      author: 'Admin',
    })
  })

  test('that was planted in the table is harmless when it is shown', async () => {
    const id = await plant({
      content:
        '<p onclick="x">a</p><script>alert(1)</script><a href="javascript:alert(1)">b</a><img src=x onerror=y>',
      cover: 'https://evil.example/x" onerror="alert(1)',
    })
    const { body } = await portal.call('GET', `/api/posts/${id}`)
    expect(body.content).toBe('<p>a</p>b')
    expect(body).not.toHaveProperty('cover')
    const summary = (await page(`limit=50`)).body.find((post: { id: string }) => post.id === id)
    expect(summary).not.toHaveProperty('cover')
  })

  test.each(['0', '-1', 'abc', '1.0', '1e1', '999999999', '99999999999999999999', '%00', "1'--", '١'])(
    'is not found as %s',
    async (id) => {
      for (const path of ['posts', 'categories']) {
        expect(await portal.call('GET', `/api/${path}/${id}`)).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
      }
    },
  )

  test('is not found while it is a draft', async () => {
    const id = await plant({ isPublished: false })
    expect((await portal.call('GET', `/api/posts/${id}`)).status).toBe(404)
  })
})

describe('categories', () => {
  test('come in their order, and each with its newest 50 posts', async () => {
    const last = await aCategory('Cuối', 30)
    const first = await aCategory('Đầu', 20)
    const listed = await portal.call('GET', '/api/categories')
    expect(listed.body.slice(-2)).toEqual([
      { id: first, title: 'Đầu', description: 'Về Đầu' },
      { id: last, title: 'Cuối', description: 'Về Cuối' },
    ])
    const ids: string[] = []
    for (let n = 0; n < 52; n++) ids.unshift(await plant({ categories: [first, last] }))
    const { body } = await portal.call('GET', `/api/categories/${first}`)
    expect(body).toMatchObject({ id: first, title: 'Đầu', description: 'Về Đầu' })
    expect(idsOf({ body: body.posts })).toEqual(ids.slice(0, 50))
    expect(body.posts[0].category_ids.toSorted()).toEqual([first, last].toSorted())
    expect(idsOf(await page(`category=${first}&before=${ids[49]}`))).toEqual(ids.slice(50))
  })
})

describe('the search', () => {
  const found = async (search: string, more = '') =>
    ((await page(`search=${encodeURIComponent(search)}${more}`)).body as { id: string }[]).map(({ id }) => id)

  test('finds posts by words of title and text, with their marks or without, the newest first', async () => {
    const older = await plant({ title: 'Đêm hội Vọng Nguyệt', publishAt: '2026-01-01T00:00:00Z' })
    const newer = await plant({
      content: '<p>Ghé <strong>Vọng</strong>&nbsp;Nguyệt nhận quà.</p>',
      publishAt: '2026-01-02T00:00:00Z',
    })
    for (const typed of [
      'vọng nguyệt',
      'VONG NGUYET',
      'Vọng Nguyệt'.normalize('NFD'),
      'nguyet, vong!',
      'vọng nguy',
    ]) {
      expect(await found(typed), typed).toEqual([newer, older])
    }
    expect(await found('vọng nguyệt', '&limit=1')).toEqual([newer])
    expect(await found('đêm vọng')).toEqual([older])
    expect(await found('vong nguyetx')).toEqual([])
  })

  test('finds no tags, nothing hidden and nothing that is not out yet', async () => {
    await plant({ content: '<blockquote>Mười bốn</blockquote>' })
    await plant({ title: 'Zebrahid', isPublished: false })
    await plant({ title: 'Zebrahid', publishAt: '2999-01-01T00:00:00Z' })
    expect(await found('blockquote')).toEqual([])
    expect(await found('zebrahid')).toEqual([])
  })

  test('takes whatever is typed as words', async () => {
    for (const typed of ['', ' ', '!&|:*()', "' OR 1=1 --", '<->', ':*', '😀', '\\']) {
      expect((await page(`search=${encodeURIComponent(typed)}`)).status, typed).toBe(200)
    }
    expect(await found('!!')).toEqual([])
    expect((await page(`search=${'a'.repeat(61)}`)).status).toBe(422)
  })

  test('follows a post that is changed', async () => {
    const id = await plant({ title: 'Quyển sổ cũ' })
    await portal.db.updateTable('posts').set({ title: 'Cuộn trục mới' }).where('id', '=', id).execute()
    expect(await found('quyen so cu')).toEqual([])
    expect(await found('cuộn trục')).toEqual([id])
  })

  test('is limited by client and minute, and lists without one go on', async () => {
    const headers = { 'x-forwarded-for': anAddress() }
    const request = (query: string) =>
      portal.app.inject({ url: `/api/posts?${query}`, headers, remoteAddress: headers['x-forwarded-for'] })
    const statuses: number[] = []
    for (let n = 0; n <= 60; n += 1) statuses.push((await request(`search=tu${n}`)).statusCode)
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]))
    expect(statuses[60]).toBe(429)
    expect((await request('limit=5')).statusCode).toBe(200)
  })
})
