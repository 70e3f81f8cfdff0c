import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAndKeep } from '#server/modules/audit/index.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { openEditorsDesk, type EditorsDesk } from './testing/editors-desk.ts'

let desk: EditorsDesk

beforeAll(async () => {
  desk = await openEditorsDesk()
})
afterAll(() => desk.portal.close())

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
    const count = async () =>
      Number(
        (
          await desk.portal.db
            .selectFrom('audit_log')
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    const before = await count()
    await desk.act('POST', '/posts', { title: 'T', content: '<p>c</p>', category_ids: ['999999999'] })
    await desk.act('PUT', '/posts/999999999', { title: 'T', content: '<p>c</p>' })
    expect(await count()).toBe(before)
  })

  test('is one unbroken chain after many acts at once', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => desk.aPost({ title: `Cùng lúc ${n}` })))
    expect((await verifyAndKeep(desk.portal.db)).faults).toEqual([])
  })
})

describe('who may', () => {
  test('a player without a role and a cashier may not, and that is logged', async () => {
    const post = await desk.aPost()
    for (const [token, status, code] of [
      [(await aPlayer(desk.portal)).token, 401, 'UNAUTHENTICATED'],
      [(await anOperator(desk.portal, 'cashier')).token, 403, 'FORBIDDEN'],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', '/posts'],
        ['GET', `/posts/${post.id}`],
        ['POST', '/posts', { title: 'T', content: '<p>c</p>' }],
        ['PUT', `/posts/${post.id}`, { title: 'T', content: '<p>c</p>' }],
        ['DELETE', `/posts/${post.id}`],
        ['GET', '/categories'],
        ['GET', '/categories/1'],
        ['POST', '/categories', { title: 'T' }],
        ['PUT', '/categories/1', { title: 'T' }],
        ['DELETE', '/categories/1'],
      ] as const) {
        const answer = await desk.portal.call(method, `/api/operator${path}`, { token, body })
        expect(answer, `${method} ${path}`).toMatchObject({ status, body: { code } })
      }
    }
    expect(desk.portal.logged()).toContain('an operator call was refused')
    expect((await desk.act('GET', `/posts/${post.id}`)).body).toEqual(post)
  })

  test('are refused without a session', async () => {
    expect((await desk.portal.call('GET', '/api/operator/posts')).status).toBe(401)
  })

  test('an owner may', async () => {
    const owner = await anOperator(desk.portal, 'owner')
    expect((await desk.portal.call('GET', '/api/operator/posts', { token: owner.token })).status).toBe(200)
  })
})
