import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { refreshRankings } from './refresh.service.ts'

const portal = useTestApp()
let owner: TestOperator
beforeAll(async () => {
  owner = await anOperator(portal, 'owner')
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const act = (method: Method, path: string, body?: object) =>
  portal.call(method, `/api/operator/groups${path}`, {
    token: owner.token,
    ...(body && { body: { reason: 'Nhóm mới', ...body } }),
  })
const seen = async () =>
  (await portal.call('GET', '/api/groups', { token: owner.playerToken })).body as { name: string }[]

const GROUP = {
  name: 'Cao thủ',
  description: 'Cấp cao nhất',
  source: 'game',
  board: 'level',
  value_name: 'Cấp',
  server_id: null,
  position: 1,
}

test('a live installation begins without any', async () => {
  expect((await act('GET', '')).body).toEqual([])
})

test('a group is added, changed and removed, as players see at once; another board is read anew', async () => {
  const made = await act('POST', '', GROUP)
  expect(made).toMatchObject({ status: 201, body: { ...GROUP, taken_at: null } })
  expect(await seen()).toMatchObject([{ name: 'Cao thủ' }])
  await refreshRankings(portal.deps)
  const [read] = (await act('GET', '')).body
  expect(read.taken_at).not.toBeNull()
  const { id, updated_at } = made.body
  const changed = await act('PUT', `/${id}`, { ...GROUP, name: 'Phú hộ', board: 'yen', updated_at })
  expect(changed.body).toMatchObject({ name: 'Phú hộ', board: 'yen' })
  await refreshRankings(portal.deps)
  const [again] = (await act('GET', '')).body
  expect(Date.parse(again.taken_at)).toBeGreaterThan(Date.parse(read.taken_at))
  const late = await act('PUT', `/${id}`, { ...GROUP, updated_at })
  expect(late).toMatchObject({ status: 409, body: { present: { name: 'Phú hộ' } } })
  expect((await act('DELETE', `/${id}`, {})).status).toBe(200)
  expect(await seen()).toEqual([])
  expect((await act('DELETE', `/${id}`, {})).status).toBe(404)
})

test.each([
  [{ board: null }, 'board'],
  [{ source: 'recharge' }, 'board'],
  [{ source: 'recharge', board: null, server_id: '1' }, 'server_id'],
  [{ server_id: 'khong-co' }, 'server_id'],
  [{ name: '' }, 'name'],
  [{ board: 'Có dấu' }, 'board'],
])('%o is refused beside %s', async (wrong, field) => {
  const answer = await act('POST', '', { ...GROUP, ...wrong })
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toHaveProperty(field)
})
