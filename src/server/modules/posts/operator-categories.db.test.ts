import { afterAll, beforeAll, expect, describe, test } from 'vitest'
import { listQuery, openEditorsDesk, type EditorsDesk } from './testing/editors-desk.ts'

let desk: EditorsDesk

beforeAll(async () => {
  desk = await openEditorsDesk()
})
afterAll(() => desk.portal.close())

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
