import { trailRows } from '#tests/support/trail-rows.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
let token: string
beforeAll(async () => {
  token = (await anOperator(portal, 'owner')).token
})

type Method = 'POST' | 'PUT' | 'DELETE'
const act = (method: Method, path: string, body: object) =>
  portal.call(method, `/api/operator/servers${path}`, { token, body: { reason: 'Mở máy chủ', ...body } })
const names = async () =>
  (await portal.call('GET', '/api/servers')).body.map(({ name }: { name: string }) => name)

test('a server is added, renamed, moved and removed, as players see at once', async () => {
  const made = await act('POST', '', { id: 's9', name: 'Hắc Phong', position: 99 })
  expect(made).toMatchObject({ status: 201, body: { id: 's9', name: 'Hắc Phong', position: 99 } })
  expect((await names()).at(-1)).toBe('Hắc Phong')
  const { updated_at } = made.body
  const changed = await act('PUT', '/s9', { name: 'Bạch Phong', position: 0, updated_at })
  expect(changed.body).toMatchObject({ id: 's9', name: 'Bạch Phong', position: 0 })
  expect(await names()).toContain('Bạch Phong')
  const late = await act('PUT', '/s9', { name: 'Khác', position: 0, updated_at })
  expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT', present: { name: 'Bạch Phong' } } })
  expect((await act('DELETE', '/s9', {})).status).toBe(200)
  expect(await names()).not.toContain('Bạch Phong')
  expect(await trailRows(portal, { subject: { type: 'server' } })).toMatchObject([
    { action: 'servers.create', details: { before: null, after: { name: 'Hắc Phong' } } },
    { action: 'servers.update', details: { before: { position: 99 }, after: { position: 0 } } },
    { action: 'servers.delete', details: { before: { name: 'Bạch Phong' }, after: null } },
  ])
})

test('pages that name the servers are made anew after each change', async () => {
  const version = async () => {
    const rows = await portal.db
      .selectFrom('content_version')
      .selectAll()
      .where('kind', '=', 'servers')
      .execute()
    return Number(rows[0]?.version ?? 0)
  }
  const before = await version()
  const { body } = await act('POST', '', { id: 's8', name: 'Thanh Phong', position: 98 })
  await act('PUT', '/s8', { name: 'Lam Phong', position: 98, updated_at: body.updated_at })
  await act('DELETE', '/s8', {})
  expect(await version()).toBe(before + 3)
})

test('a server somebody plays on stays', async () => {
  await aPlayer(portal, { serverId: '2' })
  expect(await act('DELETE', '/2', {})).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await names()).toHaveLength(3)
})

test.each([
  [{ id: '1', name: 'Trùng', position: 0 }, 'id'],
  [{ id: 'có dấu', name: 'Tên', position: 0 }, 'id'],
  [{ id: 's8', name: ' ', position: 0 }, 'name'],
  [{ id: 's8', name: 'Tên', position: -1 }, 'position'],
])('%o is refused beside %s', async (body, field) => {
  const answer = await act('POST', '', body)
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toHaveProperty(field)
})

test('what is not there is not found', async () => {
  const updated_at = new Date().toISOString()
  expect((await act('PUT', '/s7', { name: 'Tên', position: 0, updated_at })).status).toBe(404)
  expect((await act('DELETE', '/s7', {})).status).toBe(404)
})

describe('what the game says of servers', () => {
  const told = async () => (await portal.call('GET', '/api/operator/game-servers', { token })).body
  const describeServers = (servers: object[]) =>
    asOwner(
      portal,
      `INSERT INTO game_description (description, tells_collection, read_at) VALUES ($1, false, now())
       ON CONFLICT (id) DO UPDATE SET description = excluded.description`,
      [JSON.stringify({ servers })],
    )

  test('is offered where the portal lacks one, or calls it as a new portal does', async () => {
    expect(await told()).toEqual([])
    const [{ name }] = (await portal.call('GET', '/api/servers')).body
    await describeServers([
      { id: 'máy 1', name: 'Không gọi được' },
      { id: '1', name: 'Khác' },
      { id: 's7', name: 'Rừng Tre' },
      { id: 's8', name: 'x'.repeat(64) },
    ])
    expect(name).not.toBe('Máy chủ 1')
    expect(await told()).toEqual([
      { id: 's7', name: 'Rừng Tre', position: 2, present: null },
      { id: 's8', name: 'x'.repeat(60), position: 3, present: null },
    ])
    const made = await act('POST', '', { id: 's7', name: 'Máy chủ s7', position: 5 })
    expect(await told()).toMatchObject([
      { id: 's7', position: 5, present: { name: 'Máy chủ s7', updated_at: made.body.updated_at } },
      { id: 's8' },
    ])
    const { updated_at } = made.body
    await act('PUT', '/s7', { name: 'Rừng Tre', position: 5, updated_at })
    expect(await told()).toMatchObject([{ id: 's8' }])
  })

  test('is nothing while the game called it the same', async () => {
    await act('POST', '', { id: 's6', name: 'Máy chủ s6', position: 5 })
    await describeServers([{ id: 's6', name: 'Máy chủ s6' }])
    expect(await told()).toEqual([])
  })
})
