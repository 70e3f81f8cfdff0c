import type { InjectOptions } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { pages } from '#contract/pages.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { notificationOf, SENDERS } from '#tests/support/signed-notifications.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest, type RequestInput } from './send-request.ts'
import { useWorld } from './cast.ts'
import { contractEndpoints, textFields } from './contract-fields.ts'
import { BODIES, growthFault, SEEDS, textOf } from './growth.ts'
import { servedRoutes } from './served-routes.ts'

/** The longest address that is not refused at once. */
const ADDRESS_BYTES = 1_900
const HEAD_BYTES = 15_000
const BODY_BYTES = 250_000
/** Hashing a password costs the same for every text, and waits in a separate queue. */
const HASHES = /\/auth\/(login|register)|\/password\/|\/operator\//

const FAULTS_SHOWN = 5

const world = useWorld({ overrides: { withPages: true } })
let routes: string[]
let endpoints: Endpoint[]

beforeAll(async () => {
  // The pictures and other files of the site are one kind of route.
  routes = servedRoutes(world.portal).filter(
    (route) => !/\.(?!png$|xml$|txt$)\w+$/.test(route) || route.includes(':'),
  )
  endpoints = await contractEndpoints()
  // What every page costs once is not any request's.
  for (const { path } of Object.values(pages))
    await sendRequest(world.portal, { method: 'GET', path: path.replace(/:.*/, '1') })
}, 60_000)

type Case = { name: string; size: number; work: (size: number) => unknown; isApart?: boolean }

/** The first few that cost too much. */
async function faultsOf(cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = []
  for (const { name, size, work, isApart = false } of cases) {
    const fault = await growthFault(work, size, { isApart })
    if (fault) faults.push(`${name}: ${fault}`)
    if (faults.length === FAULTS_SHOWN) break
  }
  return faults
}

const ofWorld = (question: RequestInput) => sendRequest(world.portal, question)
const asPath = (text: string) => text.replace(/[^!-~]|["<>\\^`{|}?#]/g, encodeURIComponent)
const methodAndPath = (route: string) => route.split(' ') as [string, string]

test('no address costs more than it is long, at any route and at pages', { timeout: 120_000 }, async () => {
  const paths = routes.filter((route) => route.startsWith('GET ')).map((route) => methodAndPath(route)[1])
  const known = [
    '/',
    '/post/',
    '/recharge/',
    '/password/',
    '/static/',
    '/images/',
    '/share/post-',
    '/api/',
    ...paths,
  ]
  const starts = known.map((path) => path.replace(/(:\w+.*|\*)$/, ''))
  const cases = [...new Set(starts)].flatMap((start, index) =>
    everyNth(SEEDS, 16, index).flatMap((seed) =>
      // Beyond the limit all routes are one.
      (start.startsWith('/api/') ? [ADDRESS_BYTES] : [ADDRESS_BYTES, HEAD_BYTES]).flatMap((size) => {
        const filled = (bytes: number) => asPath(textOf(seed, bytes)).slice(0, size)
        return [
          {
            name: `GET ${start}${seed}…`,
            size,
            work: (bytes: number) => ofWorld({ method: 'GET', path: start + filled(bytes) }),
          },
          {
            name: `GET ${start}?${seed}…`,
            size,
            work: (bytes: number) => ofWorld({ method: 'GET', path: `${start}?search=${filled(bytes)}` }),
          },
        ]
      }),
    ),
  )
  const keys = paths.map((path) => ({
    name: `GET ${path} with many keys`,
    size: ADDRESS_BYTES,
    work: (bytes: number) =>
      ofWorld({
        method: 'GET',
        path: `${path}?${Array.from({ length: bytes / 4 }, (_, at) => (at % 2 ? 'a=1' : `${at}`)).join('&')}`.slice(
          0,
          2_000,
        ),
      }),
  }))
  expect(await faultsOf([...cases, ...keys])).toEqual([])
})

const HEADERS = `
  cookie user-agent accept accept-encoding accept-language authorization content-type host
  idempotency-key if-none-match if-modified-since if-range origin range referer x-forwarded-for
  x-forwarded-proto x-xsrf-token x-portal-internal x-sepay-signature x-sepay-timestamp
  x-casso-signature x-sms-provider x-sms-signature`
  .trim()
  .split(/\s+/)
/** How such a header begins when it is a good one. */
const STARTS: Record<string, string> = {
  authorization: 'Bearer ',
  range: 'bytes=0-0,',
  cookie: 'device=',
  'x-casso-signature': 't=1,v1=',
  'x-sepay-signature': 'sha256=',
}
const HEADER_SEEDS = [
  ...SEEDS.filter((seed) => /^[\t\u0020-\u00ff]+$/.test(seed)),
  '0-0,',
  '; ',
  'a=b; ',
  'br;q=0, ',
  '127.0.0.1, ',
  'W/"a", ',
]

test('no header costs more than it is long', { timeout: 120_000 }, async () => {
  const requests = [
    'GET /home',
    'GET /api/settings',
    'GET /images/logo.png',
    'POST /api/auth/verify',
    'POST /api/webhooks/sepay',
    'POST /api/sms/mo',
  ]
  const cases = requests.flatMap((route) =>
    HEADERS.flatMap((header, index) =>
      everyNth(HEADER_SEEDS, 6, index).map((seed) => {
        const [method, path] = methodAndPath(route)
        const work = (size: number) =>
          ofWorld({
            method,
            path,
            ...(method === 'POST' ? { body: {} } : {}),
            headers: { [header]: (STARTS[header] ?? '') + textOf(seed, size) },
          })
        return { name: `${route} with ${header}: ${seed}…`, size: HEAD_BYTES, work }
      }),
    ),
  )
  expect(await faultsOf(cases)).toEqual([])
})

/** Well-formed, so that what is behind the first look at it is done too. */
const SIGNED = {
  'x-casso-signature': `t=1,v1=${'0'.repeat(128)}`,
  'x-sepay-signature': `sha256=${'0'.repeat(64)}`,
  'x-sepay-timestamp': '1',
}

test('no body costs more than it is long, at any route', { timeout: 120_000 }, async () => {
  const cases = routes
    .filter((route) => !route.startsWith('GET ') && !route.startsWith('OPTIONS '))
    .flatMap((route, index) =>
      everyNth(Object.entries(BODIES), 12, index).map(([name, make]) => {
        const [method, pattern] = methodAndPath(route)
        const path = pattern.replace(/:\w+|\*/g, '1')
        const headers = { 'content-type': 'application/json', ...SIGNED }
        return {
          name: `${route} with ${name}`,
          size: BODY_BYTES,
          work: (bytes: number) => ofWorld({ method, path, raw: make(bytes), headers }),
          isApart: HASHES.test(route),
        }
      }),
    )
  expect(await faultsOf(cases)).toEqual([])
})

test(
  'no text that a signed notification holds costs more than it is long',
  { timeout: 120_000 },
  async () => {
    const cases = SENDERS.flatMap((provider) =>
      SEEDS.map((seed) => ({
        name: `${provider} with ${seed}…`,
        size: 60_000,
        work: (bytes: number) => {
          const transfer = {
            id: 1,
            amount: 1_000,
            account: '1',
            memo: textOf(seed, bytes),
            ref: null,
            bookedAt: new Date(),
            direction: 'in',
          } as const
          const { url, headers, body } = notificationOf({ provider, transfer, at: new Date() })
          return world.portal.app.inject({ method: 'POST', url, headers, payload: body } as InjectOptions)
        },
      })),
    )
    expect(await faultsOf(cases)).toEqual([])
  },
)

test(
  'validating a text field of the contract costs no more than its length',
  { timeout: 120_000 },
  async () => {
    const served = Object.keys(ACCESS_TABLE).filter((route) => / \/api\//.test(route))
    const described = new Set(
      endpoints.map(({ method, path }) => `${method} /api${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    // Those that the contract does not describe take raw bodies: notifications, messages, files, streams.
    expect(served.filter((route) => described.has(route)).length).toBeGreaterThan(served.length * 0.7)
    const fields = endpoints.flatMap(textFields)
    const cases = fields.flatMap(({ endpoint, where, path, schema, put }, index) =>
      everyNth(SEEDS, 4, index).map((seed) => ({
        name: `${endpoint.method} ${endpoint.path} ${where} ${path.join('.')}: ${seed}…`,
        size: where === 'body' ? BODY_BYTES : 2_000,
        work: (bytes: number) => void schema.safeParse(put(textOf(seed, bytes))),
      })),
    )
    expect(await faultsOf(cases)).toEqual([])
  },
)

test(
  'no text field of a call that needs no session costs more than it is long',
  { timeout: 120_000 },
  async () => {
    // A stream never ends.
    const open = endpoints
      .filter(({ access, isStream }) => access === 'open' && isStream !== true)
      .flatMap(textFields)
    const cases: Case[] = []
    for (const [index, { endpoint, where, path, put }] of open.entries()) {
      const route = `${endpoint.method} /api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`
      const probe = (await ACCESS_TABLE[route]?.probe?.(world)) ?? {}
      for (const seed of everyNth(SEEDS, 4, index)) {
        const work = (bytes: number) => {
          const text = textOf(seed, bytes)
          const params = (where === 'params' ? put(text, probe.path) : (probe.path ?? {})) as Record<
            string,
            string
          >
          const address = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
            encodeURIComponent(params[name] ?? '1'),
          )
          const query = where === 'query' ? `?${path.join('.')}=${encodeURIComponent(text)}` : ''
          const body = where === 'body' ? put(text, probe.body) : probe.body
          return ofWorld({
            method: endpoint.method,
            path: `/api${address}${query}`.slice(0, 2_000),
            ...(body === undefined ? {} : { body }),
          })
        }
        const size = where === 'body' ? BODY_BYTES / 2 : ADDRESS_BYTES
        cases.push({
          name: `${route} ${where} ${path.join('.')}: ${seed}…`,
          size,
          work,
          isApart: HASHES.test(route),
        })
      }
    }
    expect(await faultsOf(cases)).toEqual([])
  },
)
