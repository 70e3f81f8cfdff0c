import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, getCiphers, type ConnectionOptions } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '#contract/errors.ts'
import { throughNginx, type ClientAnswer } from '#tests/support/http-client.ts'
import { isNginxThere, NGINX_SITE, startNginx } from '#tests/support/nginx.ts'

/** nginx in front of other servers than the portal. */
async function inFrontOf(...listeners: RequestListener[]) {
  const servers = listeners.map((listener) => createServer(listener).listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const before = await startNginx({
    webPorts: servers.map((server) => (server.address() as AddressInfo).port),
    // Cached files age in a second, not in an hour.
    change: (file) => file.replace('proxy_cache_valid 200 1h', 'proxy_cache_valid 200 1s'),
  })
  const caller = throughNginx(before)
  const close = async () => {
    caller.close()
    await before.end()
    for (const server of servers) server.close()
  }
  return { port: before.httpsPort, ca: before.ca, caller, close }
}

describe.skipIf(!isNginxThere())(
  'nginx with its file of deploy/ (skipped where nginx is not installed)',
  () => {
    test('lets no trace of a client through, which the portal would take for one of nginx', async () => {
      const received: IncomingHttpHeaders[] = []
      const { caller, close } = await inFrontOf(({ headers }, response) => {
        received.push(headers)
        response.end()
      })
      const headers = {
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        'x-other': 'kept',
      }
      const paths = [
        '/home',
        '/api/settings',
        '/admin',
        '/static/a.js',
        '/api/operator/pictures',
        '/api/operator/events',
      ]
      for (const path of paths) await caller.send({ path, headers })
      await close()
      expect(received.map((one) => [one['x-other'], one['traceparent']])).toEqual(
        paths.map(() => ['kept', undefined]),
      )
    })

    test('talks TLS with forward secrecy only, and the feed is compressed', async () => {
      const { port, ca, caller, close } = await inFrontOf((_, response) => {
        response.setHeader('content-type', 'application/atom+xml; charset=utf-8').end('x'.repeat(5_000))
      })
      const talk = (more: ConnectionOptions) => {
        const { promise, resolve } = Promise.withResolvers<string>()
        const socket = connect({ host: '127.0.0.1', port, ca, servername: NGINX_SITE, ...more }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
          socket.destroy()
        }).once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        return promise
      }
      const one = { maxVersion: 'TLSv1.2' } as const
      const offered = getCiphers().filter((name) => !name.startsWith('tls_'))
      const taken: string[] = []
      for (const name of offered) {
        const cipher = name.toUpperCase()
        const answer = await talk({ ...one, ciphers: `${cipher}:@SECLEVEL=0` })
        if (answer.startsWith('TLSv1.2')) taken.push(cipher)
      }
      // Those for certificates of RSA; the test has no other.
      expect(taken.toSorted()).toEqual([
        'ECDHE-RSA-AES128-GCM-SHA256',
        'ECDHE-RSA-AES256-GCM-SHA384',
        'ECDHE-RSA-CHACHA20-POLY1305',
      ])
      expect(await talk({})).toMatch(/^TLSv1\.3 TLS_/)
      expect(await talk({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })).toMatch(
        /^E/,
      )
      const feed = await caller.send({ path: '/feed.xml', headers: { 'accept-encoding': 'gzip' } })
      expect(feed.headers['content-encoding']).toBe('gzip')
      await close()
    })

    test('works on 50 requests of one address at a time, and holds 10 of its event streams', async () => {
      const held: ServerResponse[] = []
      const { caller, close } = await inFrontOf((request, response) => {
        if (request.url === '/home') return response.end('home')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n')
        return held.push(response)
      })
      const sendMany = (path: string, count: number) =>
        Array.from({ length: count }, () => caller.send({ path }))
      const refusedOf = (sent: Promise<ClientAnswer>[]) => {
        const refused: ClientAnswer[] = []
        for (const one of sent) void one.then((answer) => answer.status === 429 && refused.push(answer))
        return refused
      }
      const streams = sendMany('/api/user/deliveries/events', 14)
      const refusedStreams = refusedOf(streams)
      await expect.poll(() => [held.length, refusedStreams.length]).toEqual([10, 4])
      const calls = sendMany('/api/posts', 45)
      const refusedCalls = refusedOf(calls)
      await expect.poll(() => [held.length, refusedCalls.length]).toEqual([50, 5])
      const page = await caller.send({ path: '/home' })
      expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
      for (const { headers, text } of [...refusedStreams, ...refusedCalls]) {
        expect(Number(headers['retry-after'])).toBeGreaterThan(0)
        expect(JSON.parse(text)).toMatchObject({
          code: 'RATE_LIMITED',
          message: errorCatalogue.RATE_LIMITED.message,
          requestId: headers['x-request-id'],
        })
      }
      for (const response of held) response.end()
      const answers = await Promise.all([...streams, ...calls])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
      expect((await caller.send({ path: '/home' })).status).toBe(200)
      await close()
    })

    test('during an upgrade each page gets its files, whichever process has them, and for a while afterwards', async () => {
      let isOldThere = true
      const has = (name: string, isThere = () => true) =>
        ((request, response) => {
          response.statusCode = request.url?.startsWith(`/static/${name}`) && isThere() ? 200 : 404
          response.end(name)
        }) satisfies RequestListener
      const { caller, close } = await inFrontOf(
        has('old', () => isOldThere),
        has('new'),
      )
      const filesOf = async (name: string) => {
        const statuses = []
        for (let time = 0; time < 6; time++) {
          statuses.push((await caller.send({ path: `/static/${name}-${time}.js` })).status)
        }
        return statuses
      }
      expect(await filesOf('old')).toEqual([200, 200, 200, 200, 200, 200])
      expect(await filesOf('new')).toEqual([200, 200, 200, 200, 200, 200])
      expect(await filesOf('no')).toEqual([404, 404, 404, 404, 404, 404])
      isOldThere = false
      await sleep(2_000)
      expect(await filesOf('old')).toEqual([200, 200, 200, 200, 200, 200])
      expect(await filesOf('new')).toEqual([200, 200, 200, 200, 200, 200])
      await close()
    })
  },
)
