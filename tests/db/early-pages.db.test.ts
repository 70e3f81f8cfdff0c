import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { useTracing, type SpanAttributes } from '#server/platform/tracing/tracing.ts'
import { rawRequest } from '../security/raw-request.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'

const portal = useTestApp({ overrides: { withPages: true } })
let port: number
let editor: string
beforeAll(async () => {
  editor = (await anOperator(portal, 'editor')).token
  await portal.app.listen({ host: '127.0.0.1', port: 0 })
  port = (portal.app.server.address() as AddressInfo).port
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }
type RequestInput = { method?: string; headers?: Record<string, string>; from?: string }

/** Over the line, where answers come before the framework. */
function early(path: string, { method = 'GET', headers = {}, from }: RequestInput = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  request(
    { host: '127.0.0.1', port, path, method, headers, agent: false, localAddress: from },
    async (answer) => {
      const chunks = await answer.toArray()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) })
    },
  )
    .on('error', reject)
    .end()
  return promise
}

/** By the route: injected requests come to no server. */
async function byRoute(path: string, { method = 'GET', headers = {} }: RequestInput = {}): Promise<Answer> {
  const answer = await portal.app.inject({ method: method as 'GET', url: path, headers })
  return {
    status: answer.statusCode,
    headers: answer.headers as IncomingHttpHeaders,
    body: answer.rawPayload,
  }
}

/** What is different in each answer, or belongs to the connection. */
const OWN = ['x-request-id', 'date', 'connection', 'keep-alive']
const withoutCookieValue = (text: string) => text.replace(/TOKEN=[\da-f-]{36}/, 'TOKEN=')

function common({ status, headers, body }: Answer) {
  const rest = Object.entries(headers)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => [name, withoutCookieValue(String(value))])
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other))
  return { status, headers: Object.fromEntries(rest), body: body.toString('latin1') }
}

type Line = Record<string, unknown>
const lines = () =>
  portal
    .logged()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
const linesOf = ({ headers }: Answer) =>
  lines().filter((line) => line['requestId'] === headers['x-request-id'])

const publish = async () => {
  const body = { title: 'Bài để đọc', content: '<p>Nội dung.</p>', reason: 'Đăng bài' }
  const { body: made } = await portal.call('POST', '/api/operator/posts', { token: editor, body })
  return made.id as string
}

const GZIP = { 'accept-encoding': 'gzip' }

test.each<[what: string, path: string, input: RequestInput, status: number]>([
  ['a page', '/home', { headers: GZIP }, 200],
  ['a page that is not compressed', '/home', {}, 200],
  ['a page with a query', '/home?fbclid=1', { headers: GZIP }, 200],
  ['the head of a page', '/home', { method: 'HEAD', headers: GZIP }, 200],
  ['a page for somebody with the cookie', '/home', { headers: { cookie: 'XSRF-TOKEN=a' } }, 200],
  ['another form of the address', '/HOME?a=ữ', { headers: GZIP }, 301],
  ['another form in percent signs', '/%68ome', { headers: GZIP }, 301],
  ['an unknown page', '/khong-co-trang-nay', { headers: GZIP }, 404],
  ['an unknown post', '/post/999999', { headers: GZIP }, 404],
  ['a file', '/images/logo.svg', {}, 200],
  ['the feed', '/feed.xml', {}, 200],
  ['an unknown file', '/none.png', {}, 404],
  ['a secret', '/password/abc', {}, 200],
  ['another method', '/home', { method: 'POST' }, 405],
])('%s is answered early as by its route', async (_what, path, input, status) => {
  // Line and route write their addresses alike.
  const address = encodeURI(path).replaceAll('%25', '%')
  await byRoute(address, input)
  const [one, other] = [await early(address, input), await byRoute(address, input)]
  expect(common(one)).toEqual(common(other))
  expect(one.status).toBe(status)
  const [written, ...more] = linesOf(one)
  expect(more).toEqual([])
  expect(written).toEqual({
    ...linesOf(other)[0],
    time: expect.any(String),
    ms: expect.any(Number),
    requestId: one.headers['x-request-id'],
  })
  expect(Object.keys(written ?? {})).toEqual(Object.keys(linesOf(other)[0] ?? {}))
})

test('a browser that has the page gets 304, the same by both', async () => {
  const { headers } = await byRoute('/home')
  const input = { headers: { 'if-none-match': String(headers.etag) } }
  const answer = await early('/home', input)
  expect(answer.status).toBe(304)
  expect(common(answer)).toEqual(common(await byRoute('/home', input)))
})

test('the log names the client that a trusted proxy names, and nobody else’s word', async () => {
  const named = { 'x-forwarded-for': '113.161.7.8' }
  await byRoute('/home')
  expect(linesOf(await early('/home', { headers: named }))[0]?.['address']).toBe('113.161.7.8')
  for (const list of ['1.2.3.4, 113.161.7.9', 'nobody']) {
    const input = { headers: { 'x-forwarded-for': list } }
    const [one, other] = [await early('/home', input), await byRoute('/home', input)]
    expect(linesOf(one)[0]?.['address']).toBe(linesOf(other)[0]?.['address'])
  }
})

test('an address that is no proxy of ours is not trusted', async () => {
  await byRoute('/home')
  const answer = await early('/home', { from: '127.0.0.2', headers: { 'x-forwarded-for': '113.161.7.8' } })
  expect(linesOf(answer)[0]?.['address']).toBe('127.0.0.2')
})

test('a header that comes twice counts whole, as the framework reads it', async () => {
  const { etag = '' } = (await byRoute('/home')).headers
  const twice = `If-None-Match: ${String(etag)}\r\nIf-None-Match: "another"\r\nConnection: close\r\n`
  const answer = await rawRequest(`http://127.0.0.1:${port}`, `GET /home HTTP/1.1\r\nHost: x\r\n${twice}\r\n`)
  expect(answer.status).toBe(304)
})

test('what two readers would read differently is refused, not answered from what is there', async () => {
  await byRoute('/home')
  const twice = 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n'
  const answer = await rawRequest(`http://127.0.0.1:${port}`, `GET /home HTTP/1.1\r\nHost: x\r\n${twice}\r\n`)
  expect(answer.status).toBe(400)
})

test('a page does not pass through the framework, whether it is there or has to be rendered', async () => {
  const id = await publish()
  const handled: string[] = []
  const note = (message: unknown) => handled.push((message as { request: { url: string } }).request.url)
  subscribe('tracing:fastify.request.handler:start', note)
  const paths = ['/home', '/home', '/HOME', `/post/${id}`, '/khong-co-trang-nay']
  const answers: Answer[] = []
  for (const path of paths) answers.push(await early(path))
  const bySize = await early('/home', { headers: { 'content-length': '0' } })
  unsubscribe('tracing:fastify.request.handler:start', note)
  expect([...answers, bySize].map(({ status }) => status)).toEqual([200, 200, 301, 200, 404, 200])
  expect(handled).toEqual(['/home'])
})

type Ended = { name: string; kind: string; parent: unknown; attributes: SpanAttributes }

/** The spans that end while `work` runs with tracing on. */
async function spansDuring(work: () => Promise<void>): Promise<Ended[]> {
  const ended: Ended[] = []
  useTracing({
    start: ({ name, kind, parent, attributes: first }) => {
      const attributes = { ...first }
      return {
        ids: { trace_id: 'trace', span_id: String(attributes['portal.request_id']) },
        set: (more) => Object.assign(attributes, more),
        end: () => ended.push({ name, kind, parent, attributes }),
      }
    },
    close: async () => {},
  })
  try {
    await work()
  } finally {
    useTracing(null)
  }
  return ended
}

test('a traced page is answered early too, with the span of its route, which its log line names', async () => {
  const headers = { 'x-forwarded-for': '113.161.7.8', traceparent: '00-of-the-proxy-01' }
  await byRoute('/home')
  const handled: unknown[] = []
  const note = (message: unknown) => handled.push(message)
  const answers: Answer[] = []
  const spans = await spansDuring(async () => {
    subscribe('tracing:fastify.request.handler:start', note)
    answers.push(await early('/home', { headers }), await early('/khong-co-trang-nay', { headers }))
    unsubscribe('tracing:fastify.request.handler:start', note)
    answers.push(await byRoute('/home', { headers }), await early('/feed.xml', { headers }))
  })
  expect(handled).toEqual([])
  const requests = spans.filter(({ kind }) => kind === 'server')
  const [page, missing, byItsRoute, feed] = answers.map((answer) =>
    requests.filter(({ attributes }) => attributes['portal.request_id'] === answer.headers['x-request-id']),
  )
  const own = { 'portal.request_id': String(answers[0]?.headers['x-request-id']) }
  expect(byItsRoute).toMatchObject([{ name: 'GET /*', parent: headers.traceparent }])
  expect(page).toEqual(byItsRoute?.map((span) => ({ ...span, attributes: { ...span.attributes, ...own } })))
  expect(missing).toMatchObject([{ name: 'GET /*', attributes: { 'http.response.status_code': 404 } }])
  expect(feed).toMatchObject([{ name: 'GET /feed.xml', parent: headers.traceparent }])
  for (const answer of answers)
    expect(linesOf(answer).at(-1)).toMatchObject({
      trace_id: 'trace',
      span_id: answer.headers['x-request-id'],
    })
})

test('a changed post is shown to the next visitor, and one that is hidden is gone', async () => {
  const id = await publish()
  expect((await early(`/post/${id}`)).status).toBe(200)
  expect((await early(`/post/${id}`)).status).toBe(200)
  const { body: post } = await portal.call('GET', `/api/operator/posts/${id}`, { token: editor })
  const change = async (changes: object) =>
    portal.call('PUT', `/api/operator/posts/${id}`, {
      token: editor,
      body: { ...post, ...changes, reason: 'Sửa bài' },
    })
  const { status, body } = await change({ title: 'Bài đã sửa' })
  expect([status, JSON.stringify(body)]).toEqual([200, expect.any(String)])
  expect((await early(`/post/${id}`)).body.toString()).toContain('Bài đã sửa')
  const { body: changed } = await portal.call('GET', `/api/operator/posts/${id}`, { token: editor })
  const hidden = await portal.call('PUT', `/api/operator/posts/${id}`, {
    token: editor,
    body: { ...changed, published: false, reason: 'Ẩn bài' },
  })
  expect([hidden.status, JSON.stringify(hidden.body)]).toEqual([200, expect.any(String)])
  const gone = await early(`/post/${id}`)
  expect([gone.status, gone.body.includes('Bài đã sửa')]).toEqual([404, false])
})

test('a post that has just been published is there at once, though it was requested before', async () => {
  const id = await publish()
  const next = String(Number(id) + 1)
  expect((await early(`/post/${next}`)).status).toBe(404)
  expect(await publish()).toBe(next)
  expect((await early(`/post/${next}`)).status).toBe(200)
})
