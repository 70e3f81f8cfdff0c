import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoLogin } from '#seeds/players.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'
import { openLink, type BreakableLink } from '#tests/support/network.ts'
import { rawRequest } from './raw-request.ts'

let database: FreshDatabase
let link: BreakableLink
let portal: PortalProcess
const dataDir = useFolder()
let token: string

/** A portal as seen from outside: a separate process on a port, with its database behind a link that can be cut. */
beforeAll(async () => {
  database = await freshDatabase()
  link = await openLink(database.ownerUrl)
  portal = await startPortalProcess({ dataDir, environment: { DATABASE_URL: link.url, DEMO: '1' } })
  const answer = await fetch(`${portal.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: demoLogin.username, password: demoLogin.password }),
  })
  token = ((await answer.json()) as { access_token: string }).access_token
})
afterAll(async () => {
  await portal.end()
  link.cut()
  await database.drop()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(portal.url + path, { headers, redirect: 'manual' })

/** One request, line by line, for methods and addresses that clients clean up or refuse. */
const raw = (method: string, path: string, headers = '') =>
  rawRequest(portal.url, `${method} ${path} HTTP/1.1\r\nHost: portal\r\nConnection: close\r\n${headers}\r\n`)

describe('another site’s page', () => {
  const FOREIGN = [
    'https://evil.example',
    'null',
    'http://127.0.0.1:1',
    'https://ninja.example.com.evil.example',
  ]
  const PATHS = [
    '/api/settings',
    '/api/user/transactions',
    '/api/auth/login',
    '/home',
    '/feed.xml',
    '/readyz',
  ]

  test.each(FOREIGN)('security row 17: is allowed nothing when it comes from %s', async (origin) => {
    for (const path of PATHS) {
      const response = await raw('GET', path, `Origin: ${origin}\r\n`)
      const preflight = await raw(
        'OPTIONS',
        path,
        `Origin: ${origin}\r\nAccess-Control-Request-Method: POST\r\n` +
          'Access-Control-Request-Headers: authorization,content-type\r\n',
      )
      for (const { headers } of [response, preflight])
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-allow'))).toEqual([])
      expect(preflight.status, path).toBeGreaterThanOrEqual(400)
      expect(response.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })

  test('security row 17: cannot use a session through cookies, whatever they are called', async () => {
    const names = ['access_token', 'token', 'session', 'Authorization', 'auth-react-v', 'XSRF-TOKEN']
    const cookie = names.map((name) => `${name}=${token}; ${name}=Bearer ${token}`).join('; ')
    for (const path of ['/api/user/transactions', '/api/auth/sessions', '/api/user/transactions.csv']) {
      expect((await get(path, { cookie })).status, path).toBe(401)
      expect((await get(path, { authorization: `Bearer ${token}` })).status, path).toBe(200)
    }
    const exchange = await (await get('/api/exchange', { cookie })).json()
    expect((exchange as { characters: unknown[] }).characters).toEqual([])
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/html',
    'application/xml',
    'application/jsonp',
    '',
  ])('security row 17: cannot send a body as a form would, as %j', async (type) => {
    const calls = ['/api/auth/login', '/api/auth/logout', '/api/user/transfer', '/api/recharge/orders']
    for (const path of calls) {
      const body = JSON.stringify({ username: demoLogin.username, password: demoLogin.password })
      const answer = await raw(
        'POST',
        path,
        `Authorization: Bearer ${token}\r\n${type === '' ? '' : `Content-Type: ${type}\r\n`}` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      )
      expect([answer.status, path]).toEqual([400, path])
    }
  })
})

describe('internal information', () => {
  test.each([
    '/.git/config',
    '/.git/HEAD',
    '/.git/',
    '/.env',
    '/.npmrc',
    '/.well-known/security',
    '/package.json',
    '/package-lock.json',
    '/node_modules/fastify/package.json',
    '/src/server/start/start.js',
    '/sql/ledger.sql',
    '/data/secrets.json',
    '/dist/web/server/entry-server.js',
    '/static/.vite/manifest.json',
    '/.vite/manifest.json',
    '/metrics',
    '/docs',
    '/swagger',
    '/api/metrics',
    '/api/health',
    '/healthz/details',
    '/readyz/details',
    '/debug',
    '/server-status',
    '/static/',
    '/static/js/',
    '/images/',
    '/images/heads/',
    '/images/../../package.json',
    '/static/%2e%2e/%2e%2e/package.json',
    '/static/..%2f..%2fpackage.json',
    '/images/%2e%2e%2f%2e%2e%2fpackage.json',
    '/%2e%2e/package.json',
    '//etc/passwd',
    '/static/js/%00.js',
    '/operator/.git/config',
  ])('security row 48: %s is not there', async (path) => {
    const first = await raw('GET', path)
    // An address with a slash too many leads to the one without, on this very site.
    const { location = path } = first.headers
    expect([path, path.replace(/\/+$/, '')]).toContain(location)
    const answer = location === path ? first : await raw('GET', location)
    expect([400, 404]).toContain(answer.status)
    expect(answer.text).not.toMatch(/"dependencies"|\[core\]|ref: refs|root:|CREATE TABLE|import |_total/)
  })

  test('security row 48: no script names its source map, and there is none', async () => {
    const html = await (await get('/home')).text()
    const scripts = [...html.matchAll(/\/static\/[^"\s]+\.(?:js|css)/g)].map(([path]) => path)
    expect(scripts.length).toBeGreaterThan(2)
    for (const path of scripts) {
      expect(await (await get(path)).text(), path).not.toContain('sourceMappingURL')
      expect((await get(`${path}.map`)).status, path).toBe(404)
    }
  })

  test('security row 48: health reports that the portal is up, and nothing more', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await (await get(path)).json(), path).toEqual({ status: 'ok' })
  })

  test.each(['TRACE', 'TRACK', 'PROPFIND', 'DELETE', 'PUT', 'PATCH', 'POST', 'OPTIONS'])(
    'security row 48: a page cannot be requested with %s, nor does anything echo the request',
    async (method) => {
      for (const path of ['/', '/home', '/post/1', '/static/js/x.js', '/robots.txt', '/api/settings']) {
        const answer = await raw(method, path, 'X-Planted: echo-me\r\n')
        expect([400, 404, 405], `${method} ${path}`).toContain(answer.status)
        expect(answer.headers.allow).toBe(answer.status === 405 ? 'GET, HEAD' : undefined)
        expect(answer.text).not.toContain('echo-me')
        expect(answer.text).not.toMatch(/Route|FST_|statusCode/)
      }
    },
  )

  test.each(['//', '///', '/\\', '//[', '/\\/', '/[', '//home:x@y/', '/%5c'])(
    'security row 48: %s is the page of unknown addresses, and no fault of ours',
    async (path) => {
      const answer = await raw('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
      expect(
        portal
          .output()
          .split('\n')
          .filter((line) => line.includes('"stack"')),
      ).toEqual([])
    },
  )

  test('security row 35: an address beyond 2,000 characters is refused before anything is done with it', async () => {
    for (const start of ['/', '/home?', '/static/js/', '/share/', '/none/', '/api/', '/api/posts?search=']) {
      const answer = await raw('GET', start.padEnd(2_001, 'a'))
      expect([answer.status, start]).toEqual([414, start])
      for (const name of ['content-security-policy', 'x-content-type-options', 'strict-transport-security'])
        expect(answer.headers[name], start).toBeDefined()
      const isCall = start.startsWith('/api/')
      const reply = isCall
        ? (JSON.parse(answer.text) as unknown)
        : { code: 'URI_TOO_LONG', message: answer.text }
      expect(reply).toMatchObject({ code: 'URI_TOO_LONG', message: 'Địa chỉ quá dài' })
      expect((await raw('GET', start.padEnd(2_000, 'a'))).status).not.toBe(414)
    }
  })

  test('security row 48: no answer names the software behind it', async () => {
    for (const path of ['/home', '/api/settings', '/none', '/static/none.js', '/api/none', '/%zz']) {
      const { headers, text } = await raw('GET', path)
      for (const name of ['server', 'x-powered-by', 'via', 'x-runtime']) expect(headers[name]).toBeUndefined()
      expect(text).not.toMatch(/fastify|FST_|nodejs|express/i)
    }
  })
})

/** What was read a moment ago is answered for some seconds more. */
async function unavailable(path: string): Promise<Response> {
  const ask = () => get(path, { authorization: `Bearer ${token}` })
  await eventually(async () => expect((await ask()).status).toBe(503))
  return ask()
}

describe('without its database', { timeout: 60_000 }, () => {
  test('security row 42: the portal reports that it is busy, and nothing of what is wrong', async () => {
    const home = await (await get('/home')).text()
    const editor = new Client({ connectionString: database.ownerUrl })
    await editor.connect()
    await editor.query(`SELECT pg_notify('content_changed', '')`)
    await editor.end()
    link.cut()
    try {
      for (const path of ['/api/posts', '/api/user/transactions', '/api/categories']) {
        const answer = await unavailable(path)
        const text = await answer.text()
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(JSON.parse(text)).toEqual({
          code: 'UNAVAILABLE',
          message: expect.any(String),
          requestId: answer.headers.get('x-request-id'),
        })
        expect(text).not.toMatch(/ECONN|connect|postgres|127\.0\.0\.1|terminat/i)
      }
      const ready = await get('/readyz')
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { status: 'unavailable', reason: 'no-answer' },
      ])
      const page = await unavailable('/download/ios')
      const text = await page.text()
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      expect(text).not.toMatch(/ECONN|postgres|127\.0\.0\.1:|terminat/i)
      // It has to be rendered again, which fails.
      await eventually(async () => {
        const cached = await get('/home')
        expect([cached.status, await cached.text()]).toEqual([200, home])
        expect(portal.output()).toContain('pages.stale')
      }, 35_000)
    } finally {
      await link.mend()
    }
    await eventually(async () => expect((await get('/readyz')).status).toBe(200), 20_000)
  })
})
