import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { aPlayer } from '#tests/support/players.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { sendRequest } from './send-request.ts'
import { aTournament, openWorld, useWorld } from './cast.ts'
import { hazardsInPage, stateOf, structuredOf } from './hazards.ts'
import { rawRequest } from './raw-request.ts'

const world = useWorld({ overrides: { withPages: true } })
let script: string
let style: string

beforeAll(async () => {
  const { text } = await page('/home')
  script = /data-script="(\/static\/js\/[^"]+)"/.exec(text)?.[1] as string
  style = /href="(\/static\/[^"]+\.css)"/.exec(text)?.[1] as string
})

const page = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(world.portal, { method: 'GET', path, headers })

/** The policy of the row, directive by directive; the additions do not weaken it. */
const POLICY = {
  'default-src': /^'self'$/,
  'script-src': /^'self'(?: 'sha256-[A-Za-z0-9+/]{43}='){2}$/,
  'object-src': /^'none'$/,
  'base-uri': /^'none'$/,
  'frame-ancestors': /^'none'$/,
  'form-action': /^'self'$/,
}

/** Of a document that holds the styles of its first paint itself. */
const STYLE_POLICY = /^'self' 'sha256-[A-Za-z0-9+/]{43}='$/

const directivesOf = (policy: string) =>
  Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return [name, sources.join(' ')]
    }),
  )

const HTML_PAGES = [
  ...Object.values(pages)
    .filter(({ path }) => path !== '*')
    .map(({ path }) => path.replace(/:\w+\??/g, '999999')),
  '/khong-co-trang-nay',
  '/offline.html',
  '/api/docs',
]

describe('the policy of pages', () => {
  test.each(HTML_PAGES)('security row 25: %s carries the whole of it', async (path) => {
    const { headers, text } = await page(path)
    expect(headers['content-type']).toMatch(/^text\/html; charset=utf-8$/i)
    const policy = String(headers['content-security-policy'])
    const { 'img-src': images, 'style-src': styles, ...rest } = directivesOf(policy)
    expect(STYLE_POLICY.test(styles ?? '')).toBe(text.includes('<style'))
    expect(Object.keys(rest).sort()).toEqual(Object.keys(POLICY).sort())
    for (const [name, sources] of Object.entries(POLICY)) expect(rest[name], name).toMatch(sources)
    expect(images).toBe("'self' data:")
    expect(policy).not.toMatch(/unsafe|nonce|\*/)
    expect(hazardsInPage(text, policy)).toEqual([])
  })

  test('security row 25: a page that broke while it was made carries it too', async () => {
    const broken = await openWorld({ overrides: { withPages: true } })
    try {
      await broken.portal.db.destroy()
      const answer = await sendRequest(broken.portal, { method: 'GET', path: '/home' })
      expect(answer.status).toBeGreaterThanOrEqual(500)
      const rest = directivesOf(answer.headers['content-security-policy'] as string)
      const optional = ['img-src', 'style-src']
      const names = Object.keys(rest).filter((name) => !optional.includes(name))
      expect(names.sort()).toEqual(Object.keys(POLICY).sort())
      expect(answer.text).not.toMatch(/Error|destroyed|kysely|at \//)
    } finally {
      await broken.portal.close()
    }
  })

  test('security row 25: each inline script is constant text that the policy lists by its hash', async () => {
    const scripts = new Set<string>()
    for (const path of ['/home', '/community', '/user/profile', '/khong-co-trang-nay']) {
      const { headers, text } = await page(path)
      const inline = [...text.matchAll(/<script(?: data-[^>]*)?>([^<]*)<\/script>/g)].map(
        ([, code]) => code ?? '',
      )
      expect(inline).toHaveLength(2)
      for (const code of inline) {
        const hash = createHash('sha256').update(code).digest('base64')
        expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`)
        scripts.add(code)
      }
    }
    expect(scripts.size).toBe(2)
  })

  test('security row 25: nothing but our own scripts is served as one', async () => {
    const names = await readdir('public', { recursive: true, withFileTypes: true })
    const served = names.filter((entry) => entry.isFile())
    expect(served.length).toBeGreaterThan(50)
    const scripts: string[] = []
    for (const { name, parentPath } of served) {
      const { headers } = await page(`/${parentPath.replace(/^public\/?/, '')}/${name}`.replace('//', '/'))
      if (/script/.test(String(headers['content-type']))) scripts.push(name)
      expect(headers['content-security-policy']).toMatch(/^default-src '(?:none|self)'/)
    }
    expect(scripts.sort()).toEqual(['offline.js', 'sw.js'])
  })
})

const BREAKERS = [
  '</script><script>alert(1)</script>',
  // A missing bracket does not prevent a browser from ending the element.
  '</script /x',
  '</SCRIPT\tx',
  '<!-- <script x',
  '\u2028\u2029',
  '<!--<script>',
  ']]>',
  '&quot;"\'',
  '\\u003c/script>',
]

describe('the state inside a page', () => {
  test.each(BREAKERS)(
    'security row 28: %j in what it holds does not break out, and is not lost',
    async (evil) => {
      const { portal, owner } = world
      const act = (method: string, path: string, body: unknown) =>
        sendRequest(portal, { method, path: `/api/operator${path}`, token: owner.token, body })
      const title = `Tên ${evil} cuối`
      const reason = 'Kiểm tra'
      const post = await act('POST', '/posts', { title, content: '<p>Nội dung</p>', reason })
      const category = await act('POST', '/categories', { title, reason })
      const described = await changeSettings(portal, {
        token: owner.token,
        values: { site_description: title },
      })
      expect([post.status, category.status, described.status]).toEqual([201, 201, 200])
      const tournament = await aTournament(portal, { name: title })
      const paths = [
        '/home',
        `/post/${post.body.id}`,
        `/category/${category.body.id}`,
        `/tournament/${tournament}`,
      ]
      for (const path of paths) {
        const { headers, text, status } = await page(path)
        expect([path, status]).toEqual([path, 200])
        // Elsewhere they are mere blanks; in the state they would end a line of script.
        expect(text.slice(text.indexOf('id="page-state"'))).not.toMatch(/[\u2028\u2029]/)
        expect(hazardsInPage(text, headers['content-security-policy'] as string)).toEqual([])
        // What the editor's desk makes of a title is what must come out of the page again.
        const stored = path.startsWith('/tournament') ? title : (post.body.title as string)
        const inJson = JSON.stringify(stored).slice(1, -1)
        const inScripts = path.startsWith('/post/') ? [stateOf(text), structuredOf(text)] : [stateOf(text)]
        for (const data of inScripts) expect(JSON.stringify(data), path).toContain(inJson)
      }
    },
  )
})

type Kind = {
  what: string
  status: number
  path: () => string
  method?: string
  headers?: Record<string, string>
}

const KINDS: Kind[] = [
  { what: 'a page', status: 200, path: () => '/home' },
  { what: 'a page nobody knows', status: 404, path: () => '/khong-co' },
  { what: 'the way home', status: 302, path: () => '/' },
  { what: 'an address with a slash too many', status: 301, path: () => '/home/' },
  { what: 'a page asked with POST', status: 405, path: () => '/home', method: 'POST' },
  { what: 'a script', status: 200, path: () => script },
  { what: 'a style sheet', status: 200, path: () => style },
  { what: 'a script that is not there', status: 404, path: () => '/static/js/none.js' },
  { what: 'a picture', status: 200, path: () => '/images/logo.svg' },
  { what: 'the worker', status: 200, path: () => '/sw.js' },
  { what: 'the manifest', status: 200, path: () => '/manifest.webmanifest' },
  { what: 'the feed', status: 200, path: () => '/feed.xml' },
  { what: 'the site map', status: 200, path: () => '/sitemap.xml' },
  { what: 'robots.txt', status: 200, path: () => '/robots.txt' },
  { what: 'health', status: 200, path: () => '/healthz' },
  { what: 'readiness', status: 200, path: () => '/readyz' },
  { what: 'a call', status: 200, path: () => '/api/posts' },
  { what: 'the contract', status: 200, path: () => '/api/openapi.json' },
  { what: 'an unknown call', status: 404, path: () => '/api/none' },
  { what: 'a call without a session', status: 401, path: () => '/api/user/transactions' },
  { what: 'a statement', status: 401, path: () => '/api/user/transactions.csv' },
  { what: 'a drawing of a link', status: 404, path: () => '/download/qr/none.svg' },
  { what: 'a shared picture', status: 404, path: () => '/share/post-99999.png' },
  { what: 'a preflight', status: 404, path: () => '/api/posts', method: 'OPTIONS' },
]

function expectWalls(headers: Record<string, unknown>, text: string): void {
  expect(headers['x-content-type-options']).toBe('nosniff')
  const [, age] = /^max-age=(\d+); includeSubDomains/.exec(String(headers['strict-transport-security'])) ?? []
  expect(Number(age)).toBeGreaterThanOrEqual(31_536_000)
  expect(headers['referrer-policy']).toMatch(/^(?:strict-origin-when-cross-origin|no-referrer|same-origin)$/)
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
  if (text === '') return
  const type = String(headers['content-type'])
  // What is no page loads nothing, and has no abilities to be taken from it.
  const isPage = type.startsWith('text/html')
  expect(String(headers['permissions-policy'])).toMatch(isPage ? /camera=\(\)/ : /^undefined$/)
  expect(headers['cross-origin-opener-policy']).toBe(isPage ? 'same-origin' : undefined)
  expect(headers['content-security-policy']).toMatch(isPage ? /^default-src 'self'/ : /^default-src 'none'/)
  const isText = /^(?:text\/|application\/(?!octet)|image\/svg)/.test(type)
  expect(type).toMatch(isText ? /; ?charset=utf-8$/i : /^(?:image|font)\//)
}

describe('the headers of every answer', () => {
  test.each(KINDS)(
    'security row 30: $what has them',
    async ({ status, path, method = 'GET', headers = {} }) => {
      const answer = await sendRequest(world.portal, { method, path: path(), headers })
      expect(answer.status).toBe(status)
      expectWalls(answer.headers, answer.text)
    },
  )

  test('security row 30: what is not sent again has them', async () => {
    for (const path of ['/home', '/feed.xml', script]) {
      const { headers } = await page(path)
      const again = await page(path, { 'if-none-match': headers.etag as string })
      expect([path, again.status]).toEqual([path, 304])
      expectWalls(again.headers, '')
    }
  })

  test('security row 30: the files and streams of a player have them', async () => {
    const { portal, orderCode, player } = world
    const headers = { authorization: `Bearer ${player.token}` }
    const csv = await page('/api/user/transactions.csv', headers)
    expect(csv.status).toBe(200)
    expectWalls(csv.headers, csv.text)
    const url = `/api/recharge/orders/${orderCode}/events`
    const events = await portal.app.inject({ url, headers, payloadAsStream: true })
    events.stream().destroy()
    expect(events.statusCode).toBe(200)
    expectWalls(events.headers, 'data')
  })

  test('security row 30: refusals of every kind have them', async () => {
    const { portal, player } = world
    const { token } = await aPlayer(portal)
    const path = '/api/user/transfer'
    const big = JSON.stringify({ payee: 'x'.repeat(300_000), amount: 1 })
    const json = { 'content-type': 'application/json' }
    const answers = [
      await sendRequest(portal, { method: 'POST', path, token, raw: '{', headers: json }),
      await sendRequest(portal, { method: 'POST', path, token, raw: big, headers: json }),
      await sendRequest(portal, { method: 'POST', path, token, body: {} }),
      await sendRequest(portal, { method: 'POST', path: '/api/user/active', token: player.token }),
      await sendRequest(portal, { method: 'GET', path: '/api/operator/posts', token }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 413, 422, 409, 401])
    for (const { headers, text } of answers) expectWalls(headers, text)
  })

  test('security row 30: even invalid HTTP, or an invalid address, is answered with them', async () => {
    const { app } = world.portal
    await app.listen({ port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const close = 'Connection: close\r\n\r\n'
    const input = {
      'GET /%zz': [400, `GET /%zz HTTP/1.1\r\nHost: x\r\n${close}`],
      'no HTTP at all': [400, 'chào\r\n\r\n'],
      'too many headers': [431, `GET /home HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n${close}`],
    } as const
    for (const [what, [status, bytes]] of Object.entries(input)) {
      const { headers, ...answer } = await rawRequest(url, bytes)
      expect([what, answer.status]).toEqual([what, status])
      expectWalls(headers, answer.text)
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'BAD_REQUEST',
        requestId: headers['x-request-id'],
      })
    }
  })
})
