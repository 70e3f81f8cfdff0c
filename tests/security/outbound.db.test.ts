import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { downloadKeys } from '#contract/downloads.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import { startTestGame } from '#tests/support/game-server.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { setSetting } from '#tests/support/settings.ts'
import { manyPlayers } from '#tests/support/players.ts'
import { charactersOf, eventually } from '#tests/support/purchases.ts'
import { sendRequest } from './send-request.ts'
import { SELF_SIGNED } from './self-signed.ts'

const servers: Server[] = []
let arrived: string[]

beforeEach(() => {
  arrived = []
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A server that notes each request under its name. */
const noting =
  (name: string, listener: RequestListener): RequestListener =>
  (request, response) => {
    arrived.push(`${name} ${request.url?.split('?')[0]}`)
    listener(request, response)
  }

const SECRET = 'game-secret-of-the-tests'

const portalOf = (game: string) =>
  startTestApp({ environment: { GAME_SERVER_URL: game, GAME_SERVER_SECRET: SECRET } })

/** A player makes the portal read their characters from the game, which need not answer that names may be registered. */
async function requestCharacters(portal: TestApp): Promise<string[]> {
  const [token = ''] = await manyPlayers(portal, 1)
  return charactersOf(portal, { token })
}

describe('the portal calls', () => {
  test('security row 47: the game server it was given', async () => {
    const game = await startTestGame({ secret: SECRET })
    const portal = await portalOf(game.url)
    await requestCharacters(portal)
    await eventually(async () => expect(game.calls.join()).toContain('/v1/characters'))
    await portal.close()
    await game.close()
  })

  test('security row 47: no host that is not on its list', async () => {
    const listed = await listen(createHttp(noting('listed', (_, response) => response.end('[]'))))
    const other = await listen(createHttp(noting('other', (_, response) => response.end('[]'))))
    const send = openOutbound([`http://127.0.0.1:${listed}`])
    const call = (url: string) => send({ url, method: 'GET', timeoutMs: 5_000 })
    expect(await call(`http://127.0.0.1:${listed}/a`)).toEqual({ status: 200, text: '[]' })
    for (const url of [
      `http://127.0.0.1:${other}/a`,
      `http://localhost:${listed}/a`,
      `http://127.0.0.1:${listed}@127.0.0.1:${other}/a`,
      `https://127.0.0.1:${listed}/a`,
    ])
      await expect(call(url), url).rejects.toThrow('only listed hosts are called')
    expect(arrived).toEqual(['listed /a'])
  })

  test('security row 47: no host that a redirect names', async () => {
    const other = await listen(createHttp(noting('other', (_, response) => response.end('[]'))))
    const redirects: RequestListener = (_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${other}/v1/characters` }).end()
    const first = await listen(createHttp(noting('first', redirects)))
    const portal = await portalOf(`http://127.0.0.1:${first}`)
    expect(await requestCharacters(portal)).toEqual([])
    await eventually(async () => expect(arrived).toContain('first /v1/characters'))
    await portal.close()
    expect(arrived.filter((call) => call.startsWith('other'))).toEqual([])
  })

  test.each(['0', undefined])(
    'security row 47: nobody whose certificate is not vouched for, with NODE_TLS_REJECT_UNAUTHORIZED=%s',
    async (loosened) => {
      const port = await listen(
        createHttps(
          SELF_SIGNED,
          noting('impostor', (_, response) => response.end('[]')),
        ),
      )
      const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
      if (loosened !== undefined) process.env.NODE_TLS_REJECT_UNAUTHORIZED = loosened
      try {
        const portal = await portalOf(`https://127.0.0.1:${port}`)
        expect(await requestCharacters(portal)).toEqual([])
        await eventually(async () => expect(portal.logged()).toMatch(/self-signed certificate/))
        await portal.close()
        expect(arrived).toEqual([])
      } finally {
        if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
        else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
      }
    },
  )

  test('security row 47: no address that an operator typed', async () => {
    let connections = 0
    const port = await listen(createTcp((socket) => socket.destroy(void (connections += 1))))
    const url = `https://127.0.0.1:${port}/tep`
    const portal = await startTestApp({ overrides: { withPages: true } })
    const { token } = await anOperator(portal, 'owner')
    const act = (method: string, path: string, body: unknown) =>
      sendRequest(portal, { method, path: `/api/operator${path}`, token, body })
    const keys = [...Object.values(downloadKeys).flat(), 'fanpage_link', 'group_link', 'zalo_box_link_1']
    const values = Object.fromEntries(keys.map((key) => [key, url]))
    for (const [key, value] of Object.entries(values)) await setSetting(portal, key, value)
    // A text may have the links that are set.
    const content = `<p><a href="${url}">tải</a> <img src="${url}"></p>`
    const post = await act('POST', '/posts', {
      title: `Tải ${url}`,
      content,
      excerpt: url,
      reason: 'Kiểm tra',
    })
    const pages = ['/home', '/download', '/download/ios', '/community', `/post/${post.body.id}`]
    const machines = ['/feed.xml', '/sitemap.xml', `/share/post-${post.body.id}.png`]
    const codes = Object.values(downloadKeys)
      .flat()
      .map((key) => `/download/qr/${key}.svg`)
    for (const path of [...pages, ...machines, ...codes])
      expect((await sendRequest(portal, { method: 'GET', path })).status, path).toBe(200)
    await portal.close()
    expect(connections).toBe(0)
  })

  test('security row 47: no host except through the client that checks the list', async () => {
    const folder = 'src/server'
    const door = 'platform/http/outbound.ts'
    const found: string[] = []
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('.ts') || /\.test\.ts$|testing\//.test(file) || file === door) continue
      const text = await readFile(join(folder, file), 'utf8')
      // What only listens calls nobody.
      const clients =
        /^import (?!type |\{ createServer(?:, type \w+)* \} ).*from '(?:node:)?(?:https?|http2|tls|dgram|undici|axios|got)'/m
      if (clients.test(text) || /\bfetch\(|new WebSocket\(/.test(text)) found.push(file)
    }
    // It looks at the certificates of the servers that the configuration names, and sends them nothing.
    expect(found).toEqual(['health/read-certificate.ts'])
  })
})
