import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
const { owner } = useOperators(portal, { owner: 'owner' })

beforeAll(async () => {
  await openAccounts(portal)
  const player = await aPlayer(portal)
  for (let made = 0; made < 5; made++) {
    await anOrder(portal, made < 3 ? player : await aPlayer(portal))
    await deliver(portal, aNotification({ content: `khong co ma ${made}` }))
  }
  // Two of one moment each: the order of their ids decides.
  await asOwner(
    portal,
    `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, created_at)
     SELECT gen_random_uuid(), 'exchange', $1, 1, '1', 'x', 'c', 'x', '[]', timestamptz '2026-01-01' + n / 2 * interval '1 day'
       FROM generate_series(1, 5) n`,
    [player.id],
  )
})

type Parameter = { name: string; schema: { contentSchema?: Record<string, unknown> } }

async function listCalls(): Promise<{ path: string; parameters: Parameter[] }[]> {
  const { body } = await portal.call('GET', '/api/openapi.json')
  const paths = Object.entries(body.paths as Record<string, { get?: { parameters: Parameter[] } }>)
  return paths
    .map(([path, { get }]) => ({ path, parameters: get?.parameters ?? [] }))
    .filter(
      ({ path, parameters }) => !path.endsWith('.csv') && parameters.some(({ name }) => name === 'filter'),
    )
}

const listWith = (path: string, query: Record<string, unknown>) => {
  const text = Object.entries(query).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  return portal.call('GET', `/api${path}?${text.join('&')}`, { token: owner.token })
}

test('OpenAPI names the fields that each list of the operators can be filtered by', async () => {
  const calls = await listCalls()
  expect(calls.length).toBeGreaterThanOrEqual(9)
  for (const { path, parameters } of calls) {
    const filter = parameters.find(({ name }) => name === 'filter')?.schema.contentSchema
    expect(filter, path).toMatchObject({ type: 'object', additionalProperties: false })
    expect(Object.keys(filter?.properties as object), path).toContain('id')
  }
})

test('every list takes one id or many, and refuses a filter it does not know', async () => {
  for (const { path } of await listCalls()) {
    const [row] = (await listWith(path, { filter: path.endsWith('bank-transfers') ? { state: 'all' } : {} }))
      .body
    if (row === undefined) continue
    for (const id of [row.id, [row.id]]) {
      const answer = await listWith(path, { filter: { id } })
      expect([path, answer.status, answer.body.map((one: { id: string }) => one.id)]).toEqual([
        path,
        200,
        [row.id],
      ])
    }
    const refused = await listWith(path, { filter: { nothing: 1 } })
    expect(refused.body, path).toMatchObject({
      code: 'VALIDATION',
      errors: { filter: ['Không thể lọc theo nothing'] },
    })
  }
})

test.each(['bank-transfers', 'recharge-orders', 'deliveries'])(
  'all of %s is read by going on behind the last row, either way and each row once',
  async (resource) => {
    for (const direction of ['ASC', 'DESC']) {
      const path = `/operator/${resource}`
      const sort = ['created_at', direction]
      const whole = await listWith(path, { sort })
      const ids = whole.body.map(({ id }: { id: string }) => id)
      expect(ids).toHaveLength(5)
      const read: string[] = []
      let after: string | undefined
      do {
        const answer = await listWith(path, {
          sort,
          range: [0, 1],
          ...(after === undefined ? {} : { after }),
        })
        expect(answer.status).toBe(200)
        read.push(...answer.body.map(({ id }: { id: string }) => id))
        after = answer.headers['x-next-after'] as string | undefined
      } while (after !== undefined)
      expect(read).toEqual(ids)
    }
  },
)

test.each([
  ['bank-transfers', 'x'],
  ['cases', '-1'],
  ['deliveries', "'; --"],
])('%s cannot be read behind %s', async (resource, after) => {
  expect((await listWith(`/operator/${resource}`, { after })).body).toMatchObject({
    code: 'VALIDATION',
    errors: { after: [expect.any(String)] },
  })
})
