import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { dehydrate, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { Refusal } from '../values/errors.ts'
import type { OutsideSources } from './csp.ts'
import { startPagesApp } from './testing/pages-app.ts'

test('the root redirects to the home page, and an address with a slash at its end to the one without', async () => {
  const { get } = await startPagesApp()
  expect(await get('/')).toMatchObject({ statusCode: 302, headers: { location: '/home' } })
  expect(await get('/user')).toMatchObject({ statusCode: 302, headers: { location: '/user/profile' } })
  expect(await get('/home/')).toMatchObject({ statusCode: 301, headers: { location: '/home' } })
})

test('no address redirects to another site', async () => {
  const { app } = await startPagesApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const path of ['//evil.example.com/', '/\\evil.example.com/']) {
    // Sent as it stands: clients that parse addresses would clean it up first.
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject).end()
    const answer = await promise
    answer.resume()
    expect(answer.headers.location).toBeUndefined()
  }
  await app.close()
})

test('a page is rendered once, in the encoding each browser accepts, until its content changes', async () => {
  const { get, pages } = await startPagesApp()
  expect((await get('/home')).body).toContain('render 1')
  const zipped = await get('/home?fbclid=1', { 'accept-encoding': 'gzip, deflate' })
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(gunzipSync(zipped.rawPayload).toString()).toContain('render 1')
  const brotli = await get('/home', { 'accept-encoding': 'gzip, br' })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toContain('render 1')

  pages.drop(['settings'])
  expect((await get('/home')).body).toContain('render 2')
})

test('a browser that has the page gets 304, and the new page after a change', async () => {
  let html = 'old'
  const { get, pages } = await startPagesApp({ render: () => ({ html }) })
  const etag = String((await get('/home')).headers.etag)
  expect(await get('/home', { 'if-none-match': etag })).toMatchObject({ statusCode: 304, body: '' })
  html = 'new'
  pages.drop(['settings'])
  expect(await get('/home', { 'if-none-match': etag })).toMatchObject({ statusCode: 200 })
})

test('two renderings that differ only in their time are the same page to a browser', async () => {
  let time = 1
  const { get, pages } = await startPagesApp({
    render: () => {
      const client = new QueryClient()
      client.setQueryData(['key'], 'x', { updatedAt: ++time })
      return { html: 'same', state: dehydrate(client) }
    },
  })
  const { headers, body } = await get('/home')
  pages.drop(['settings'])
  const later = await get('/home')
  expect(later.headers.etag).toBe(headers.etag)
  expect(later.body).not.toBe(body)
})

test('every page carries the policy and, once, the cookie that scripts echo', async () => {
  const { get } = await startPagesApp()
  const first = await get('/home')
  expect(first.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(first.headers['content-security-policy']).toContain("default-src 'self'")
  expect(first.headers['set-cookie']).toMatch(/^XSRF-TOKEN=[\da-f-]{36}; Path=\/; SameSite=Lax$/)
  expect((await get('/home', { cookie: 'a=1; XSRF-TOKEN=abc' })).headers['set-cookie']).toBeUndefined()

  const secure = await startPagesApp({ publicUrl: 'https://ninja.example.com' })
  expect((await secure.get('/home')).headers['set-cookie']).toContain('; Secure')
})

test('a missing page is answered with its status, not counted as viewed, and is not cached', async () => {
  const { get, viewed } = await startPagesApp({ render: (url) => ({ status: url === '/home' ? 200 : 404 }) })
  expect(await get('/post/9')).toMatchObject({ statusCode: 404 })
  expect((await get('/post/9')).body).toContain('render 2')
  await get('/home')
  await get('/home')
  expect(viewed).toEqual(['/home', '/home'])
})

test('a page whose data is missing is not cached, and has Retry-After', async () => {
  let status = 503
  const { get } = await startPagesApp({ render: () => ({ status }) })
  expect(await get('/home')).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
  status = 200
  expect(await get('/home')).toMatchObject({ statusCode: 200 })
})

test('when rendering fails, the visitor reads the message of the catalogue and nothing of the error', async () => {
  const { get } = await startPagesApp({
    render: () => {
      throw new Error('secret detail')
    },
  })
  const answer = await get('/home')
  expect(answer.statusCode).toBe(500)
  expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
  expect(answer.body).toContain('Có lỗi xảy ra, vui lòng thử lại')
  for (const path of ['/home', '/download', '/tournaments', '/gem-calculator'])
    expect(answer.body).toContain(`<a href="${path}">`)
  expect(answer.body).not.toContain('secret detail')
})

test.each([
  ['fails', 500],
  ['is refused', 429],
  ['is not complete', 503],
])('a rendering that %s is answered early as by the route', async (what, status) => {
  const { get, pages } = await startPagesApp({
    render: () => {
      if (status === 503) return { status, html: 'not all of it' }
      throw status === 429 ? new Refusal('RATE_LIMITED', { retryAfterSeconds: 7 }) : new Error('no')
    },
  })
  const request = {
    method: 'GET',
    path: '/home',
    query: undefined,
    headers: {},
    address: '10.0.0.1',
    traceparent: null,
  } as const
  const log = pino({ level: 'silent' })
  const early = await pages.answerEarly({ ...request, id: 'a', log: () => log })
  const route = await get('/home')
  expect([what, early?.status, route.statusCode]).toEqual([what, status, status])
  const headers = Array.from({ length: (early?.headers.length ?? 0) / 2 }, (_, at) =>
    early?.headers.slice(2 * at, 2 * at + 2),
  )
  expect(route.headers).toMatchObject(Object.fromEntries(headers as [string, string][]))
  expect(headers.map((pair) => pair?.[0])).toContain('content-length')
  const timeless = (text: string | undefined) => text?.replace(/_ms":\d+/, '')
  expect(timeless(early?.body?.toString())).toBe(timeless(route.body))
  expect(route.headers['retry-after']).toBe({ 500: undefined, 429: '7', 503: '5' }[status])
})

test('a secret address appears in no referrer, count of views or rendering', async () => {
  const rendered: string[] = []
  const { get, viewed } = await startPagesApp({
    render: (url) => {
      rendered.push(url)
      return {}
    },
  })
  const first = await get('/password/secret-of-one')
  const second = await get('/password/secret.of-another')
  expect(first).toMatchObject({ statusCode: 200, headers: { 'referrer-policy': 'no-referrer' } })
  expect(second.body).toBe(first.body)
  expect(JSON.stringify([rendered, viewed, first.body])).not.toContain('secret')
  expect((await get('/home')).headers['referrer-policy']).toBeUndefined()
})

test('built files never change under their name; plain ones are requested again', async () => {
  const { get } = await startPagesApp()
  const built = await get('/static/js/a.js', { 'accept-encoding': 'br' })
  expect(built.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  })
  expect(built.body).toBe('compressed')
  expect((await get('/images/logo.png')).headers['cache-control']).toBe(
    'public, max-age=86400, stale-while-revalidate=604800',
  )
})

test.each([
  '/static/js/old.js',
  '/static/',
  '/images/none.png',
  '/robots.php',
  '/api/none',
  '/images/../../package.json',
])('no page stands for the missing file %s', async (address) => {
  const answer = await (await startPagesApp()).get(address)
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('the policy of a document lists outside origins only where they are allowed, until the page is dropped', async () => {
  const meta = { script: 'https://a.example', connect: 'https://b.example', img: 'https://b.example' }
  let outside: OutsideSources | undefined = meta
  const { get, pages } = await startPagesApp({ outside: () => outside })
  const policyOf = async (url: string) => (await get(url)).headers['content-security-policy']
  expect(await policyOf('/home')).toMatch(/script-src 'self'(?: 'sha256-\S+'){2} https:\/\/a\.example;/)
  expect(await policyOf('/home')).toContain("connect-src 'self' https://b.example")
  expect(await policyOf('/recharge')).not.toContain('example')
  outside = undefined
  pages.drop(['settings'])
  expect(await policyOf('/home')).not.toContain('example')
})

test('the offline page may use its style sheet, and its worker the network, and neither is cached for long', async () => {
  const { get } = await startPagesApp()
  const page = (await get('/offline.html')).headers
  expect(page['content-security-policy']).toContain("default-src 'self'")
  expect(page['cache-control']).toBe('no-cache')
  const worker = (await get('/sw.js')).headers
  expect(worker['content-security-policy']).toMatch(/^default-src 'none'; connect-src 'self';/)
  expect(worker['cache-control']).toBe('no-cache')
  expect((await get('/images/logo.png')).headers['cache-control']).toContain('max-age=86400')
})
