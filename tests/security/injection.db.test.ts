import { beforeAll, describe, expect, test } from 'vitest'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { bothBodies } from '#tests/support/uploads.ts'
import { openCheckIn } from '#tests/support/rewards.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { addressOf, requestOf, type Probe } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest, type RequestInput } from './send-request.ts'
import { useWorld } from './cast.ts'
import { databasePicture } from './database-picture.ts'

const world = useWorld()
beforeAll(() => openCheckIn(world.portal))

const INJECTIONS = [
  `'`,
  `''`,
  `"`,
  `\\`,
  `\\'`,
  `' OR '1'='1`,
  `1 OR 1=1`,
  `1;DROP TABLE users;--`,
  `'); DELETE FROM sessions; --`,
  `1 UNION SELECT password_hash FROM users--`,
  `'||(SELECT pg_sleep(9))||'`,
  `1 AND 1=(SELECT 1 FROM pg_sleep(9))`,
  `';COPY users TO '/tmp/users';--`,
  `id DESC;SELECT pg_sleep(9)`,
  `created_at,(SELECT 1)`,
  `["id;DROP TABLE posts","ASC"]`,
  `["id","ASC;SELECT 1"]`,
  `[0,1e99]`,
  `[-1,10]`,
  `{"id":"1 OR 1=1"}`,
  `{"id":{"$gt":""}}`,
  `{"__proto__":{"id":1}}`,
  `$1`,
  `:id`,
  `?`,
  `%`,
  `_%_`,
  `-1`,
  `0`,
  `1e9`,
  `1000000000`,
  `99999999999999999999999`,
  `0x1`,
  `NaN`,
  `null`,
  `2026-02-30`,
  `\u0000`,
  `1\u0000`,
  `\ud800`,
  `＇ OR 1=1`,
  `ʼ;--`,
]

type Named = { name: string; in: string }
type Schema = { properties?: Record<string, unknown> }
type Call = {
  parameters: Named[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = { paths: Record<string, Record<string, Call>> }

const contract = async () =>
  (await sendRequest(world.portal, { method: 'GET', path: '/api/openapi.json' })).body as Document

/** Calls of a session are limited, and some end it. */
const ROUTES_OF_A_CALLER = hasAllCases ? 1 : 6
const callers = new Map<boolean, { caller: TestPlayer; routes: number }>()

/** A permitted caller, a new one after some routes. */
async function callerOf(route: string): Promise<TestPlayer> {
  const isOperator = route.includes('/operator/')
  const known = callers.get(isOperator)
  if (known !== undefined && known.routes++ < ROUTES_OF_A_CALLER) return known.caller
  const caller = isOperator
    ? await anOperator(world.portal, 'owner')
    : await aPlayer(world.portal, { coins: 100_000, isActivated: true })
  callers.set(isOperator, { caller, routes: 1 })
  return caller
}

/** The call as it should be, with one of its parts replaced. */
function questionOf(route: string, { path = {}, body }: Probe, [part, evil]: [Named, string]): RequestInput {
  const [method = '', pattern = ''] = route.split(' ')
  const values = part.in === 'path' ? { ...path, [part.name]: evil } : path
  const encoded = Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)])
  const address = addressOf(pattern, Object.fromEntries(encoded))
  const query = part.in === 'query' ? `?${part.name}=${encodeURIComponent(evil)}` : ''
  return {
    method,
    path: address + query,
    ...(body === undefined && part.in !== 'body'
      ? {}
      : { body: part.in === 'body' ? bothBodies(body, { [part.name]: evil }) : body }),
    ...(part.in === 'header' ? { headers: { [part.name]: evil } } : {}),
  }
}

/** Every part of every call of the contract that takes text from outside. */
async function partsByRoute(): Promise<Map<string, Named[]>> {
  const { paths } = await contract()
  const parts = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, call]) => {
      const route = `${method.toUpperCase()} /api${path.replace(/\{(\w+)\}/g, ':$1')}`
      const { content = {} } = call.requestBody ?? {}
      const schema = (content['application/json'] ?? content['multipart/form-data'])?.schema
      const fields = Object.keys(schema?.properties ?? {}).map((name) => ({ name, in: 'body' }))
      return [...call.parameters, ...fields].map((part) => ({ route, part }))
    }),
  )
  const raw = ['sort', 'order', 'search', 'filter_type', 'filter_from', 'filter_to'].map((name) => ({
    route: 'GET /api/user/transactions.csv',
    part: { name, in: 'query' },
  }))
  const codes = [
    { route: 'GET /api/recharge/orders/:code/events', part: { name: 'code', in: 'path' } },
    { route: 'GET /download/qr/:key.svg', part: { name: 'key', in: 'path' } },
  ]
  const byRoute = Map.groupBy([...parts, ...raw, ...codes], ({ route }) => route)
  return new Map([...byRoute].map(([route, found]) => [route, found.map(({ part }) => part)]))
}

/** Headers hold what can be printed and addresses whole characters; the rest never leaves a client. */
const fits = ([part, evil]: [Named, string]) =>
  part.in === 'header' ? /^[\x20-\x7e]+$/.test(evil) : part.in === 'body' || evil.isWellFormed()

/** A stream that is opened never ends. */
const opensStream = (route: string, [part, evil]: [Named, string]) =>
  route.endsWith('/events') && part.in === 'query' && /^\d{1,9}$/.test(evil)

/** The sandbox calls the portal's own address, where this one does not listen. */
const isDoorClosed = (route: string, status: number) => route === 'POST /api/sandbox/sms' && status === 503

const LEAKS = /\$argon2|syntax error|relation "|pg_catalog|unterminated|22P02|invalid input/

describe('injected SQL', { timeout: 300_000 }, () => {
  test('security row 33: in any part of any call breaks nothing, waits for nothing and learns nothing', async () => {
    const faults: string[] = []
    const routes = await partsByRoute()
    // Every second part meets one of them, its neighbour another one; with all cases each part meets all.
    let offset = 0
    expect([...routes.values()].flat().length).toBeGreaterThan(60)
    for (const [route, parts] of routes) {
      const { token } = await callerOf(route)
      const honest = (await ACCESS_TABLE[route]?.probe?.(world)) ?? {}
      const tries = parts.flatMap((part) => {
        offset += 1
        if (!hasAllCases && offset % 2 === 0) return []
        return everyNth(INJECTIONS, INJECTIONS.length, offset).map((evil): [Named, string] => [part, evil])
      })
      const sent = tries.filter(fits).filter((one) => !opensStream(route, one))
      for (const [index, [part, evil]] of sent.entries()) {
        if (index % 50 === 0) await world.forgetPace()
        const start = performance.now()
        const answer = await sendRequest(world.portal, { ...questionOf(route, honest, [part, evil]), token })
        if (answer.status === 401) callers.clear()
        const description = `${route} ${part.in} ${part.name} = ${JSON.stringify(evil)}`
        if (answer.status >= 500 && !isDoorClosed(route, answer.status))
          faults.push(`${description} answers ${answer.status}`)
        if (performance.now() - start > 5_000) faults.push(`${description} waits`)
        if (LEAKS.test(answer.text)) faults.push(`${description} says ${answer.text.slice(0, 100)}`)
      }
    }
    expect(faults.slice(0, 20)).toEqual([])
  })

  test('security row 33: pages of lists beyond any list are empty or refused', async () => {
    const { portal, player, owner } = world
    for (const page of ['-1', '0', '1e9', '1000000000', '9007199254740993', '1.5', 'NaN', '']) {
      for (const path of ['/api/user/transactions', '/api/user/deliveries', '/api/recharge/orders']) {
        for (const name of ['page', 'items_per_page']) {
          const question = { method: 'GET', path: `${path}?${name}=${page}`, token: player.token }
          expect([200, 422], `${path}?${name}=${page}`).toContain(
            (await sendRequest(portal, question)).status,
          )
        }
      }
    }
    for (const query of ['range=[1000000000,1000000001]', 'range=[-1,5]', 'sort=["password_hash","ASC"]']) {
      const path = `/api/operator/posts?${encodeURI(query)}`
      expect([200, 422]).toContain(
        (await sendRequest(portal, { method: 'GET', path, token: owner.token })).status,
      )
    }
  })

  test('security row 33: what was there before is there still', async () => {
    const { portal, player, other, owner } = world
    for (const { token, id } of [player, other]) {
      const question = { method: 'POST', path: '/api/auth/verify', body: { access_token: token } }
      expect((await sendRequest(portal, question)).body).toMatchObject({ id })
    }
    const me = { method: 'GET', path: '/api/operator/me', token: owner.token }
    expect((await sendRequest(portal, me)).body).toMatchObject({ id: owner.id })
    expect(await balanceOf(portal.db, player.walletId)).toBe(2_000_000)
    const roles = await portal.db.selectFrom('user_roles').select(['user_id', 'role']).execute()
    expect(roles.filter(({ user_id: id }) => id === player.id || id === other.id)).toEqual([])
    await expectReconciled(portal)
  })
})

describe('a request', { timeout: 60_000 }, () => {
  test('security row 17: with GET changes nothing, for any caller', async () => {
    const { portal, player, owner } = world
    const gets = Object.entries(ACCESS_TABLE).filter(
      // A list that an operator saves as a file leaves a row in the audit trail.
      ([route]) => route.startsWith('GET ') && !/\/events$|\/operator\/.*\.csv$/.test(route),
    )
    const questions = await Promise.all(gets.map(async (row) => (await requestOf(world, row)).path))
    const readAll = async () => {
      for (const path of questions) {
        for (const token of [undefined, player.token, owner.token])
          await sendRequest(portal, { method: 'GET', path, token })
      }
    }
    await readAll()
    const before = await databasePicture(portal)
    expect(Object.keys(before).length).toBeGreaterThan(25)
    await readAll()
    expect(await databasePicture(portal)).toEqual(before)
  })
})
