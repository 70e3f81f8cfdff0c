import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '#contract/errors.ts'
import { pages } from '#contract/pages.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startPortal } from '#server/start/portal.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { freePort } from '#tests/support/network.ts'
import { throughNginx, type ClientRequest, type HttpClient } from '#tests/support/http-client.ts'
import { isNginxThere, startNginx, type Nginx } from '#tests/support/nginx.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type Portal } from '#tests/support/players.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

/** Instead of the 35 s of the file, so that a stream outlives it within this test. */
const READ_TIMEOUT_S = 2
const STOP_DELAY_S = 1

type Web = { port: number; stop(): Promise<void> }

const folder = useFolder()
let database: FreshDatabase
let webs: [Web, Web]
let nginx: Nginx
let client: HttpClient
let metricsPort: number
/** The portal through nginx. */
let portal: Portal & { close(): Promise<void> }

async function startWeb(more: Record<string, string> = {}): Promise<Web> {
  const port = await freePort()
  const environment = {
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: folder,
    DEMO: '1',
    PORT: String(port),
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    STOP_DELAY: String(STOP_DELAY_S),
    ...more,
  }
  const web = await startPortal(environment, { isWeb: true, isWorker: false })
  let stopped: Promise<void> | null = null
  return { port, stop: () => (stopped ??= web.stop()) }
}

function portalThrough(https: HttpClient): typeof portal {
  const db = openDatabase({ url: database.appUrl, log: openLog('fatal'), connectionsMax: 2 })
  return {
    db,
    close: () => db.destroy(),
    async call(method, path, { token, body, key } = {}) {
      const answer = await https.send({
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, headers: {}, body: answer.text === '' ? null : JSON.parse(answer.text) }
    },
  }
}

const isThere = isNginxThere()
beforeAll(async () => {
  if (!isThere) return
  database = await freshDatabase()
  metricsPort = await freePort()
  webs = [await startWeb({ METRICS_PORT: String(metricsPort) }), await startWeb()]
  nginx = await startNginx({
    webPorts: webs.map(({ port }) => port),
    change: (file) => file.replace('proxy_read_timeout 35s', `proxy_read_timeout ${READ_TIMEOUT_S}s`),
  })
  client = throughNginx(nginx)
  portal = portalThrough(client)
})
afterAll(async () => {
  if (!isThere) return
  client.close()
  await nginx.end()
  for (const web of webs) await web.stop()
  await portal.close()
  await database.drop()
})

const statusOf = async (request: ClientRequest) => (await client.send(request)).status
const getsRequests = async (port: number, from: number) =>
  (await nginx.log()).slice(from).some((line) => line.includes(`127.0.0.1:${port}`))

describe.skipIf(!isThere)(
  'behind nginx with its file of deploy/ (skipped where nginx is not installed)',
  () => {
    test('what is for balancers and Prometheus is there, and not for the public', async () => {
      for (const path of ['/readyz', '/healthz']) {
        expect((await fetch(`http://127.0.0.1:${webs[0].port}${path}`)).status).toBe(200)
        expect(await statusOf({ path })).toBe(404)
      }
      expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200)
      for (const path of ['/metrics', '/api/metrics', '/api/readyz', '/api/healthz', '/READYZ', '//readyz'])
        expect(await statusOf({ path }), path).not.toBe(200)
    })

    test('refuses a body that is too large as the portal does, for the client to show', async () => {
      const send = (path: string, bytes: number) =>
        client.send({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'x'.repeat(bytes) }),
        })
      const byNginx = await send('/api/auth/login', 300 * 1024)
      // The portal takes less here. Often: a process that broke off would be taken out of use after two times.
      for (let time = 0; time < 8; time++) {
        const byPortal = await send('/api/webhooks/sepay', 240 * 1024)
        for (const { status, text, headers } of [byPortal, byNginx]) {
          expect(status).toBe(413)
          expect(headers['content-type']).toBe('application/json; charset=utf-8')
          expect(JSON.parse(text)).toMatchObject({
            code: 'PAYLOAD_TOO_LARGE',
            message: errorCatalogue.PAYLOAD_TOO_LARGE.message,
            requestId: headers['x-request-id'],
          })
        }
      }
    })

    test('takes pictures that are larger than other bodies, also from those it refuses before reading them', async () => {
      const body = 'x'.repeat(9 * 1024 * 1024)
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      for (const path of ['/api/operator/pictures', '/api/recharge/claims']) {
        expect(await statusOf({ method: 'POST', path, headers, body }), path).toBe(401)
      }
      expect(await statusOf({ method: 'POST', path: '/api/operator/pictures', body })).not.toBe(502)
      expect(await statusOf({ method: 'POST', path: '/api/recharge/orders', headers, body })).toBe(413)
    })

    test('passes events on at once, and leaves a silent stream open beyond the time-out of answers', async () => {
      const { token } = await aPlayer(portal)
      const stream = await client.open({
        path: '/api/user/deliveries/events',
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
      })
      expect(stream.statusCode).toBe(200)
      let text = ''
      let isOver = false
      stream.on('data', (chunk: Buffer) => (text += chunk.toString())).on('close', () => (isOver = true))
      await eventually(async () => expect(text).toContain('data: '))
      await sleep((READ_TIMEOUT_S + 1) * 1_000)
      expect(isOver).toBe(false)
      stream.destroy()
    })

    test('maintenance of the portal, which answers 503, leaves both processes in use', async () => {
      const owner = await anOperator(portal, 'owner')
      const player = await aPlayer(portal)
      const change = async (all: unknown) => {
        const credentials = { token: owner.token }
        const { body } = await portal.call('GET', '/api/operator/maintenance', credentials)
        const { updated_at } = body as { updated_at: string }
        return portal.call('PUT', '/api/operator/maintenance', {
          ...credentials,
          body: { sections: { all }, updated_at, reason: 'Bảo trì' },
        })
      }
      expect((await change({ message: 'Nâng cấp', until: null })).status).toBe(200)
      try {
        // The process that did not change it is notified a moment later.
        await eventually(async () => {
          for (let time = 0; time < 8; time++) {
            const refused = await portal.call('GET', '/api/user/transactions', { token: player.token })
            expect(refused).toMatchObject({ status: 503, body: { code: 'MAINTENANCE' } })
          }
        })
        expect(await statusOf({ path: '/api/settings' })).toBe(200)
      } finally {
        expect((await change(null)).status).toBe(200)
      }
    })

    test('newcomers share the cached page, each with a cookie of their own', async () => {
      const cookies = new Set<string>()
      let hits = 0
      for (let visit = 0; visit < 5; visit++) {
        const answer = await client.send({ path: '/download' })
        expect(answer.status).toBe(200)
        const [cookie, ...more] = [answer.headers['set-cookie']].flat()
        expect(cookie).toMatch(/^XSRF-TOKEN=\w{32}; Path=\/; SameSite=Lax; Secure$/)
        expect(more).toEqual([])
        cookies.add(String(cookie))
        if (answer.headers['x-cache'] !== 'MISS') hits++
      }
      expect([cookies.size, hits > 0]).toEqual([5, true])
      const again = await client.send({ path: '/download', headers: { cookie: 'a=1; XSRF-TOKEN=mine' } })
      expect(again.headers['set-cookie']).toBeUndefined()
      const file = await client.send({ path: '/images/logo.svg' })
      expect(file.headers['set-cookie']).toBeUndefined()
    })

    test.runIf(hasAllCases)(
      'a page is cached once for each encoding, however a browser names what it accepts',
      async () => {
        const as = async (accepted: string) => {
          const { headers } = await client.send({
            path: '/gem-calculator',
            headers: { 'accept-encoding': accepted },
          })
          return { encoding: headers['content-encoding'], cache: headers['x-cache'] }
        }
        await as('gzip, deflate, br, zstd')
        expect((await as('br;q=1.0, gzip;q=0.8')).cache).not.toBe('MISS')
        await eventually(async () => expect((await as('gzip, deflate, br')).encoding).toBe('br'))
        expect(await as('br;q=0, gzip')).toMatchObject({ encoding: 'gzip', cache: 'MISS' })
        expect((await as('deflate, gzip')).cache).not.toBe('MISS')
        for (const none of ['identity', 'gzip;q=0, br;q=0']) expect((await as(none)).encoding).toBeUndefined()
      },
    )

    test('a person’s request is neither answered from the cache nor cached', async () => {
      const answer = await client.send({ path: '/download', headers: { authorization: 'Bearer nobody' } })
      expect([answer.status, answer.headers['x-cache']]).toEqual([200, 'BYPASS'])
    })

    test('a newcomer who reads a post is counted by the portal', async () => {
      for (let visit = 0; visit < 3; visit++) {
        const answer = await client.send({ path: '/post/1' })
        expect(answer.headers['x-cache']).toBe('MISS')
      }
    })

    test('a stopping process gets no more requests before its port closes, and refuses nobody', async () => {
      const [stopping, other] = webs
      const from = (await nginx.log()).length
      const ended = stopping.stop()
      await eventually(async () =>
        expect((await fetch(`http://127.0.0.1:${stopping.port}/readyz`)).status).toBe(503),
      )
      // Those it received and sent on.
      for (let time = 0; time < 8; time++) expect(await statusOf({ path: '/api/settings' })).toBe(200)
      expect(await getsRequests(stopping.port, from)).toBe(true)
      const diverted = (await nginx.log()).length
      const body = JSON.stringify({ username: 'khong-co', password: 'khong-dung-12' })
      const login = {
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
      }
      for (let time = 0; time < 4; time++) expect(await statusOf({ ...login, body })).toBe(422)
      expect(await getsRequests(stopping.port, diverted)).toBe(false)
      await ended
      expect(await statusOf({ path: '/api/settings' })).toBe(200)
      expect(await getsRequests(other.port, diverted)).toBe(true)
    })

    test('while no process is there, readers get the cached page, and calls a refusal to repeat', async () => {
      const home = { path: '/home', headers: { cookie: 'XSRF-TOKEN=from-before' } }
      const linked = [pages.home, pages.download, pages.tournaments, pages.gemCalculator]
      for (const { path } of linked) expect(await statusOf({ ...home, path })).toBe(200)
      for (const web of webs) await web.stop()
      await eventually(async () => {
        const cached = await client.send(home)
        expect([cached.status, cached.headers['x-cache']]).toEqual([
          200,
          expect.stringMatching(/STALE|UPDATING/),
        ])
        expect(cached.text).toContain('</html>')
      })
      const uncached = await client.send({ path: '/community' })
      expect([uncached.status, uncached.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8'])
      expect(uncached.text).toContain(`<h1>${errorCatalogue.UNAVAILABLE.message}</h1>`)
      // Its style is the one that its policy lets in, and its links lead to pages that are still there.
      const style = /<style>(.*?)<\/style>/.exec(uncached.text)?.[1] ?? ''
      const sha256 = createHash('sha256').update(style).digest('base64')
      expect(uncached.headers['content-security-policy']).toContain(`style-src 'sha256-${sha256}'`)
      const links = [...uncached.text.matchAll(/<a href="(\/[^"]*)">([^<]*)<\/a>/g)]
      expect(links.map(([, path, title]) => [path, title])).toEqual(
        linked.map(({ path, title }) => [path, title]),
      )
      for (const { path } of linked) expect(await statusOf({ ...home, path })).toBe(200)
      const call = await client.send({ path: '/api/settings' })
      expect([call.status, call.headers['retry-after']]).toEqual([502, '2'])
      expect(JSON.parse(call.text)).toEqual({
        code: 'UNAVAILABLE',
        message: errorCatalogue.UNAVAILABLE.message,
        requestId: call.headers['x-request-id'],
      })
    })
  },
)
