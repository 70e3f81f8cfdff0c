import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { residentMb } from '#tests/harness/resources.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { useFolder } from '#tests/support/folder.ts'
import { rawConnection, sendRaw } from '#tests/support/network.ts'

const dataDir = useFolder()
let portal: PortalProcess

beforeAll(async () => {
  portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
})
afterAll(() => portal.end())

const status = async (path: string) => (await fetch(portal.url + path)).status

const HEAD = 'POST /api/auth/verify HTTP/1.1\r\nHost: portal\r\nContent-Type: application/json\r\n'
const BODY = '{"access_token":"x"}'
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
/** The part that the server is meant to read as another user's request. */
const SMUGGLED = 'GET /api/servers HTTP/1.1\r\nHost: portal\r\n\r\n'

const withLength = (line: string) => `${HEAD}${line}\r\n\r\n${BODY}${SMUGGLED}`
const withChunks = (line: string, chunks = CHUNKED) => `${HEAD}${line}\r\n\r\n${chunks}${SMUGGLED}`

describe('security row 38: requests that two readers could cut differently', { timeout: 60_000 }, () => {
  test('security row 38: the plain forms are read as two requests, so that the others below mean something', async () => {
    for (const bytes of [
      withLength(`Content-Length: ${BODY.length}`),
      withChunks('Transfer-Encoding: chunked'),
    ]) {
      expect((await sendRaw(portal.url, bytes)).statuses).toEqual([401, 200])
    }
    // A chunk's extension is lawful, and changes nothing about where the chunk ends.
    const extended = withChunks('Transfer-Encoding: chunked', CHUNKED.replace('\r\n', ';a="b"\r\n'))
    expect((await sendRaw(portal.url, extended)).statuses).toEqual([401, 200])
  })

  test.each<[string, string]>([
    ['a length and chunks', withLength(`Content-Length: ${BODY.length}\r\nTransfer-Encoding: chunked`)],
    ['chunks and a length', withChunks('Transfer-Encoding: chunked\r\nContent-Length: 4')],
    ['two lengths', withLength(`Content-Length: ${BODY.length}\r\nContent-Length: 2`)],
    ['one length twice', withLength(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length}`)],
    ['a list of lengths', withLength(`Content-Length: ${BODY.length}, ${BODY.length}`)],
    ['a length with a sign', withLength(`Content-Length: +${BODY.length}`)],
    ['a negative length', withLength('Content-Length: -1')],
    ['a length in hex', withLength('Content-Length: 0x14')],
    ['a blank before the colon', withLength(`Content-Length : ${BODY.length}`)],
    ['a blank before the colon of the encoding', withChunks('Transfer-Encoding : chunked')],
    ['an unknown encoding', withChunks('Transfer-Encoding: xchunked')],
    ['identity', withChunks('Transfer-Encoding: identity')],
    ['chunked and then identity', withChunks('Transfer-Encoding: chunked, identity')],
    ['two encodings', withChunks('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity')],
    ['one encoding twice', withChunks('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked')],
    ['an encoding before chunked', withChunks('Transfer-Encoding: gzip, chunked')],
    ['a vertical tab', withChunks('Transfer-Encoding: \x0bchunked')],
    ['a folded encoding', withChunks('Transfer-Encoding:\r\n chunked')],
    ['a folded header', withLength(`X-A: a\r\n b\r\nContent-Length: ${BODY.length}`)],
    ['a line that ends with LF alone', withLength(`X-A: a\nContent-Length: ${BODY.length}`)],
    ['a bare CR', withLength(`X-A: a\rContent-Length: ${BODY.length}`)],
    ['a NUL', withLength(`X-A: a\0b\r\nContent-Length: ${BODY.length}`)],
    [
      'a chunk extension that ends with LF',
      withChunks('Transfer-Encoding: chunked', CHUNKED.replace('\r\n', ';a\n')),
    ],
    ['chunks that end with LF', withChunks('Transfer-Encoding: chunked', CHUNKED.replaceAll('\r\n', '\n'))],
    ['a chunk size with 0x', withChunks('Transfer-Encoding: chunked', `0x${CHUNKED}`)],
    ['a negative chunk size', withChunks('Transfer-Encoding: chunked', `-${CHUNKED}`)],
    ['a chunk size beyond 64 bits', withChunks('Transfer-Encoding: chunked', `10000000000000000${CHUNKED}`)],
    [
      'a chunk longer than its size',
      withChunks('Transfer-Encoding: chunked', CHUNKED.replace('}\r\n', '}XX')),
    ],
    ['chunks in HTTP/1.0', `${HEAD.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n${CHUNKED}`],
    ['no host', SMUGGLED.replace('Host: portal\r\n', '') + SMUGGLED],
    ['two hosts', SMUGGLED.replace('Host: portal', 'Host: portal\r\nHost: evil') + SMUGGLED],
    ['two content types', withLength(`Content-Type: text/plain\r\nContent-Length: ${BODY.length}`)],
    [
      'two tokens',
      SMUGGLED.replace('\r\n\r\n', '\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n') +
        SMUGGLED,
    ],
    ['a first header that is folded', SMUGGLED.replace('Host', ' Host') + SMUGGLED],
    ['a blank in a name', SMUGGLED.replace('Host', 'X A: b\r\nHost') + SMUGGLED],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`],
  ])('security row 38: %s is 400, once, and the connection is closed', async (_, bytes) => {
    const { statuses, isClosed } = await sendRaw(portal.url, bytes)
    expect({ statuses, isClosed }).toEqual({ statuses: [400], isClosed: true })
  })
})

describe('security row 35: slow, large and many', { timeout: 120_000 }, () => {
  test('security row 35: a body beyond the limit is 413, by its length or as it comes, and nothing of it is stored', async () => {
    const large = JSON.stringify({ access_token: 'x'.repeat(256 * 1024) })
    const answer = await fetch(`${portal.url}/api/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: large,
    })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ])
    const chunk = 'a'.repeat(64 * 1024)
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(6)
    const streamed = await sendRaw(portal.url, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
    expect(streamed.statuses).toEqual([413])
    // A head beyond 16 KB never becomes a request.
    const head = await sendRaw(
      portal.url,
      SMUGGLED.replace('\r\n\r\n', `\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`),
    )
    expect(head).toMatchObject({ statuses: [431], isClosed: true })
  })

  test('security row 35: slow heads, slow bodies and silence are cut off while others are served', async () => {
    const start = performance.now()
    const cutOff = async (write: (socket: Awaited<ReturnType<typeof rawConnection>>['socket']) => void) => {
      const { socket, closed, answer } = await rawConnection(portal.url)
      const writing = setInterval(() => write(socket), 500)
      await closed
      clearInterval(writing)
      return { seconds: (performance.now() - start) / 1_000, statuses: answer().statuses }
    }
    let isHeadBegun = false
    let isBodyBegun = false
    const slow = Promise.all([
      cutOff((socket) => {
        socket.write(isHeadBegun ? 'X-A: a\r\n' : 'GET /api/servers HTTP/1.1\r\nHost: portal\r\n')
        isHeadBegun = true
      }),
      cutOff((socket) => {
        socket.write(isBodyBegun ? ' ' : `${HEAD}Content-Length: 100000\r\n\r\n`)
        isBodyBegun = true
      }),
      cutOff(() => {}),
    ])
    for (let round = 0; round < 20; round++) {
      expect(await status('/api/servers')).toBe(200)
      await sleep(100)
    }
    const [head, body, silence] = await slow
    expect(head.statuses).toEqual([408])
    // Without a bound of its own a head is cut off when a body is: 20 seconds later, however busy the machine is.
    expect(head.seconds).toBeLessThan(body.seconds - 8)
    expect(body.statuses).toEqual([408])
    // Several times the bound, for a busy machine; without it Node waits minutes.
    expect(body.seconds).toBeLessThan(90)
    expect(silence.seconds).toBeLessThan(45)
  })

  test('security row 35: 1,000 idle connections cost little, and others are served', async () => {
    for (let round = 0; round < 50; round++) await status('/api/servers')
    const before = await residentMb(portal)
    const idle = await Promise.all(Array.from({ length: 1_000 }, () => rawConnection(portal.url)))
    expect(idle.filter(({ answer }) => answer().isClosed)).toEqual([])
    for (const path of ['/api/servers', '/home', '/api/posts']) expect(await status(path)).toBe(200)
    expect((await residentMb(portal)) - before).toBeLessThan(100)
    for (const { socket } of idle) socket.destroy()
    expect(await status('/healthz')).toBe(200)
  })
})
