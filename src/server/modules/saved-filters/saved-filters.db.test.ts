import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { SAVED_FILTERS_MAX } from '#contract/operator/session.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { isList } from './saved-filters.service.ts'

const portal = useTestApp()
const { cashier, support } = useOperators(portal, { cashier: 'cashier', support: 'support' })

const BANNED = { sort: '["balance","DESC"]', filter: '{"banned":true,"server_id":"1"}' }
const call = (method: string, path: string, body?: object, by = cashier) =>
  portal.call(method as 'POST', `/api/operator/saved-filters${path}`, {
    token: by.token,
    ...(body && { body }),
  })
const save = (name: string, { list = 'users', query = BANNED, by = cashier } = {}) =>
  call('POST', '', { list, name, query }, by)
const read = async (list = 'users', by = cashier) => (await call('GET', `?list=${list}`, undefined, by)).body
const namesOf = (saved: { name: string }[]) => saved.map(({ name }) => name)

test('a filter with its sorting is saved, opened, renamed and removed, by its owner alone', async () => {
  const saved = await save('  Bị khóa  ')
  expect([saved.status, saved.body]).toMatchObject([201, { name: 'Bị khóa', query: BANNED, is_valid: true }])
  const { id } = saved.body
  expect(await read()).toEqual([saved.body])
  expect([await read('deliveries'), await read('users', support)]).toEqual([[], []])
  const theirs = [
    await call('PUT', `/${id}`, { name: 'Của tôi' }, support),
    await call('DELETE', `/${id}`, undefined, support),
  ]
  expect(theirs.map(({ status }) => status)).toEqual([404, 404])
  expect((await call('PUT', `/${id}`, { name: 'Đang khóa' })).status).toBe(204)
  expect(namesOf(await read())).toEqual(['Đang khóa'])
  expect((await call('DELETE', `/${id}`)).status).toBe(204)
  expect([await read(), (await call('DELETE', `/${id}`)).status]).toEqual([[], 404])
})

test('a name has 1 to 40 characters and is not taken in its list', async () => {
  const first = await save('Một', {
    list: 'deliveries',
    query: { sort: '["created_at","ASC"]', filter: '{}' },
  })
  const query = { sort: '["created_at","DESC"]', filter: '{"state":"parked"}' }
  const named = (name: string) => save(name, { list: 'deliveries', query })
  expect(Object.keys((await named('Một')).body.errors)).toEqual(['name'])
  expect([(await named(' ')).status, (await named('đ'.repeat(41))).status]).toEqual([422, 422])
  const other = await named('đ'.repeat(40))
  expect(other.status).toBe(201)
  const rename = await call('PUT', `/${other.body.id}`, { name: 'Một' })
  expect(Object.keys(rename.body.errors)).toEqual(['name'])
  expect((await call('PUT', `/${first.body.id}`, { name: 'Một' })).status).toBe(204)
})

test.each([
  { list: 'users', query: { ...BANNED, filter: '{"password":"x"}' } },
  { list: 'users', query: { ...BANNED, sort: '["password_hash","ASC"]' } },
  { list: 'users', query: { ...BANNED, filter: 'x' } },
  { list: 'passwords', query: BANNED },
])('what its list does not take is not saved: %o', async (given) => {
  expect((await save('Sai', { ...given })).status).toBeGreaterThanOrEqual(404)
  expect((await save('Sai', { ...given })).status).toBeLessThan(423)
  expect(namesOf(await read())).not.toContain('Sai')
})

test('one that its list does not take any more is shown as such', async () => {
  const { id } = (await save('Cũ', { list: 'posts', query: { sort: '["id","ASC"]', filter: '{}' } })).body
  await asOwner(portal, `UPDATE saved_filter SET query = '{"sort": "[]", "filter": "{}"}' WHERE id = $1`, [
    id,
  ])
  expect(await read('posts')).toMatchObject([{ id, name: 'Cũ', is_valid: false }])
})

test('at most 20 for one list, also when they are saved at once', async () => {
  const query = { sort: '["created_at","DESC"]', filter: '{}' }
  const list = 'recharge-orders'
  const answers = await Promise.all(
    Array.from({ length: SAVED_FILTERS_MAX + 2 }, (_, at) => save(`Số ${at}`, { list, query })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(SAVED_FILTERS_MAX)
  expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
    new Set(['CONFLICT']),
  )
  expect((await save('Khác', { by: support, list, query })).status).toBe(201)
})

test('filters of every list of the contract can be saved', async () => {
  const folder = join(import.meta.dirname, '../../../contract/operator')
  const lists: string[] = []
  for (const file of (await readdir(folder, { recursive: true })).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )) {
    const exported = Object.values((await import(join(folder, file))) as Record<string, object>)
    for (const { list } of exported.filter((one) => typeof one === 'object' && one !== null) as {
      list?: Endpoint
    }[]) {
      const fields = (list?.query as { shape?: object } | undefined)?.shape ?? {}
      if (list && 'filter' in fields && !/settings/.test(list.path))
        lists.push(list.path.replace('/operator/', ''))
    }
  }
  expect(lists.length).toBeGreaterThan(15)
  const known = { found: lists, listed: lists.filter(isList) }
  expect(listProblems(known, 'LISTS of saved-filters.service.ts')).toEqual([])
})
