import { connect, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCREEN_PATHS } from '#contract/operator/screen-paths.ts'
import { useTestApp } from '#tests/support/app.ts'
import { isNginxThere, NGINX_SITE, startNginx, type Nginx } from '#tests/support/nginx.ts'
import { answerOver, type RawAnswer } from './raw-request.ts'

const CONSOLE_HOST = 'admin.portal.test'

const portal = useTestApp({
  overrides: { withPages: true },
  environment: { ADMIN_HOST: CONSOLE_HOST, PUBLIC_URL: `https://${NGINX_SITE}` },
})
let nginx: Nginx | undefined
beforeAll(async () => {
  await portal.app.listen({ host: '127.0.0.1', port: 0 })
  if (isNginxThere()) nginx = await startNginx({ webPorts: [portOf()] })
})
afterAll(() => nginx?.end())

const portOf = () => (portal.app.server.address() as AddressInfo).port

const ways: [string, () => Socket][] = [
  ['itself', () => connect(portOf(), '127.0.0.1')],
  [
    'through the nginx of deploy/',
    () =>
      connectTls({
        port: nginx?.httpsPort ?? 0,
        host: '127.0.0.1',
        ca: nginx?.ca ?? '',
        servername: NGINX_SITE,
      }),
  ],
]

/** The target of the request line, and headers beside the players' Host. */
type Variant = string | { target: string; headers: string[] }

const FORWARDED = [
  `X-Forwarded-Host: ${CONSOLE_HOST}`,
  `x-forwarded-host: ${CONSOLE_HOST}, ${CONSOLE_HOST}`,
  `Forwarded: host=${CONSOLE_HOST};proto=https`,
  `X-Host: ${CONSOLE_HOST}`,
  `X-Original-Host: ${CONSOLE_HOST}`,
  'X-Original-URL: /admin',
  'X-Rewrite-URL: /admin',
]

const VARIANTS: Variant[] = [
  ...['/admin', '/api/operator/me'].flatMap((plain) => [
    plain,
    `${plain}/`,
    `${plain}?x=1`,
    `${plain}%2F`,
    `${plain}%2f..%2f`,
    `${plain}%00`,
    `${plain}%09`,
    `${plain}%20`,
    `${plain};a=b`,
    `${plain}/.`,
    `${plain}/./`,
    `${plain}\\`,
    `${plain}%5c`,
    `${plain}#x`,
    `/${plain}`,
    `//${plain}`,
    `/.${plain}`,
    `/%2e${plain}`,
    `/x/..${plain}`,
    `/x/%2e%2e${plain}`,
    `/x%2f..${plain}`,
    `\\${plain.slice(1)}`,
    `/;${plain}`,
    `/%2f${plain.slice(1)}`,
    plain.replace('a', '%61'),
    plain.replace('a', '%2561'),
    plain.toUpperCase(),
    plain.replace('i', 'I'),
    // The letter a of the full-width forms, and an i without its dot.
    plain.replace('a', '%EF%BD%81'),
    plain.replace('i', '%C4%B1'),
    `http://${CONSOLE_HOST}${plain}`,
    `http://${NGINX_SITE}${plain}`,
    ...FORWARDED.map((header) => ({ target: plain, headers: [header] })),
    { target: plain, headers: [`Host: ${CONSOLE_HOST}`] },
  ]),
  '/api%2foperator%2fme',
  '/api//operator/me',
  '/api/./operator/me',
  '/api/x/../operator/me',
  '/%61%64%6d%69%6e',
  '/%61%64%6d%69%6e/users',
  '/adm%69n/users/1',
  '/admin/static/',
  '/static/../admin',
  '/static/..%2fadmin',
]

const titleOf = (variant: Variant) =>
  typeof variant === 'string' ? variant : `${variant.target} ${variant.headers.join()}`

async function send(open: () => Socket, variant: Variant, host = NGINX_SITE): Promise<RawAnswer> {
  const { target, headers } = typeof variant === 'string' ? { target: variant, headers: [] } : variant
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...headers, 'Connection: close']
  return answerOver(open(), `${lines.join('\r\n')}\r\n\r\n`)
}

const isConsole = ({ status, text }: RawAnswer) =>
  status === 401 || text.includes('Vận hành') || text.includes('/admin/static/')

test('security row 39: there are 60 variants and more of each', () => {
  expect(VARIANTS.length).toBeGreaterThan(60)
})

describe.each(ways)('security row 39: the console’s host, %s', (way, open) => {
  const isSkipped = way !== 'itself' && !isNginxThere()

  test.skipIf(isSkipped)(
    'security row 39: no variant of an address reaches the console on the players’ host',
    async () => {
      const answers: [string, RawAnswer][] = []
      // Ten at a time: nginx limits what one address has in work.
      const next = VARIANTS.values()
      const sendRest = async () => {
        for (const variant of next) answers.push([titleOf(variant), await send(open, variant)])
      }
      await Promise.all(Array.from({ length: 10 }, sendRest))
      const wrong = answers
        .filter(([, answer]) => isConsole(answer) || ![400, 404].includes(answer.status))
        .map(([variant, { status, headers }]) => [variant, status, headers['location']])
        // A redirection to an address that is tried here as well does not reveal the console.
        .filter(([, status, location]) => status !== 301 || !String(location).startsWith('/x'))
      expect(wrong).toEqual([])
    },
  )

  test.skipIf(isSkipped)(
    'security row 39: what is refused there looks like any unknown address',
    async () => {
      const own = /data-\w+="[^"]*"|[\w-]{32,}|\/(?:admin|no-such-page)[\w/]*/g
      for (const [served, unknown] of [
        ['/admin', '/no-such-page'],
        ['/admin/users', '/no-such-page/users'],
        ['/api/operator/me', '/api/no-such-page/me'],
      ] as const) {
        const [refused, other] = [await send(open, served), await send(open, unknown)]
        expect([refused.status, other.status]).toEqual([404, 404])
        expect(refused.headers['content-type']).toBe(other.headers['content-type'])
        expect(refused.text.replace(own, '')).toBe(other.text.replace(own, ''))
      }
    },
  )

  test.skipIf(isSkipped)('security row 39: the console’s own host answers, in any case', async () => {
    for (const host of [CONSOLE_HOST, CONSOLE_HOST.toUpperCase()]) {
      const screen = await send(open, '/admin/users/17', host)
      expect([screen.status, isConsole(screen)]).toEqual([200, true])
      expect((await send(open, '/api/operator/me', host)).status).toBe(401)
    }
    const script = /data-script="(\/admin\/static\/[^"]+)"/.exec(
      (await send(open, '/admin', CONSOLE_HOST)).text,
    )?.[1]
    expect((await send(open, String(script), CONSOLE_HOST)).status).toBe(200)
    expect((await send(open, String(script))).status).toBe(404)
  })
})

test('security row 39: below /admin only screens are there', async () => {
  const statusOf = async (path: string) => (await send(ways[0]![1], path, CONSOLE_HOST)).status
  for (const path of SCREEN_PATHS) {
    const address = `/admin${path.replace(/:\w+/g, 'ab-17')}`
    expect(await statusOf(address), address).toBe(200)
  }
  for (const path of ['/.env', '/users/.env', '/users/1/2', '/wp-login.php', '/.git/config', '/users%2F1'])
    expect(await statusOf(`/admin${path}`), path).toBe(404)
})
