import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { throughNginx } from '#tests/support/http-client.ts'
import { isNginxThere, startNginx } from '#tests/support/nginx.ts'

/** nginx in front of other servers than the portal. */
async function inFrontOf(...listeners: RequestListener[]) {
  const servers = listeners.map((listener) => createServer(listener).listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const before = await startNginx({
    webPorts: servers.map((server) => (server.address() as AddressInfo).port),
    // Kept files age in a second, not in an hour.
    change: (file) => file.replace('proxy_cache_valid 200 1h', 'proxy_cache_valid 200 1s'),
  })
  const caller = throughNginx(before)
  const close = async () => {
    caller.close()
    await before.end()
    for (const server of servers) server.close()
  }
  return { caller, close }
}

describe.skipIf(!isNginxThere())(
  'nginx with its file of deploy/ (skipped where nginx is not installed)',
  () => {
    test('lets no trace of a client through, which the portal would take for one of nginx', async () => {
      const seen: IncomingHttpHeaders[] = []
      const { caller, close } = await inFrontOf(({ headers }, response) => {
        seen.push(headers)
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
      expect(seen.map((one) => [one['x-other'], one['traceparent']])).toEqual(
        paths.map(() => ['kept', undefined]),
      )
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
