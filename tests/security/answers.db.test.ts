import { describe, expect, test } from 'vitest'
import { startTestApp } from '#tests/support/app.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { aPlayer } from '#tests/support/players.ts'
import { asOwner } from '#tests/support/databases.ts'
import { addressOf, requestOf } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest, type Answer } from './send-request.ts'
import { type Caller, CALLERS, useWorld } from './cast.ts'

const world = useWorld()

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: Schema | boolean
}
type Document = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >
}

/** Paths of the fields of a value that its schema does not name. */
function unlisted(value: unknown, schema: Schema, path = ''): string[] {
  if (schema.anyOf) {
    const found = schema.anyOf.map((option) => unlisted(value, option, path))
    return found.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  // The values of an audit row may be anything.
  if (Object.keys(schema).length === 0) return []
  if (Array.isArray(value)) {
    if (!schema.items) return [path]
    return value.flatMap((entry, index) => unlisted(entry, schema.items as Schema, `${path}[${index}]`))
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, field]) => {
    const extra = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
    const known = schema.properties?.[name] ?? extra
    return known ? unlisted(field, known, `${path}.${name}`) : [`${path}.${name}`]
  })
}

/** Calls a route as a caller who succeeds; undefined when there is none. */
async function succeed(route: string): Promise<{ answer: Answer; caller: Caller } | undefined> {
  const row = ACCESS_TABLE[route]!
  const caller = CALLERS.find((name) => row.status[name] < 300 && name !== 'nobody')
  if (!caller || isStream(route) || ENDS_ITS_SESSION.test(route)) return undefined
  const question = { ...(await requestOf(world, [route, row])), token: world.cast[caller]?.token }
  return { answer: await sendRequest(world.portal, question), caller }
}

const ENDS_ITS_SESSION = /logout$|DELETE .*operator.session$/

/** Such an answer never ends. */
const isStream = (route: string) => route.endsWith('/events')

const ROUTES = Object.keys(ACCESS_TABLE).filter((route) => route.includes(' /api/'))

/** What browsers may know of the settings, written apart from the code that decides it. */
const PUBLIC_SETTINGS = `
  active_fee age_class android_auto android_auto_file demo exchange_amounts exchange_bonus
  exchange_rate fanpage_link group_link home_intro ios ios_auto ios_auto_file ios_file java_148_x1
  java_148_x1_file java_148_x3 java_148_x3_file java_148_x6 java_148_x6_file java_211_x1
  java_211_x1_file java_e71 java_e71_file java_e72 java_e72_file logo_center pc pc_auto pc_auto_file
  pc_file pixel_id recharge_max recharge_min recharge_rate server_opening site_description site_name
  transfer_daily_limit transfer_enabled transfer_min transfer_otp_limit zalo_box_link_1
  zalo_box_link_2 zalo_box_link_3 zalo_box_link_4 zalo_box_link_5 zalo_box_link_6 zalo_box_link_7`
  .trim()
  .split(/\s+/)

describe('the content of answers', () => {
  test('security row 21: no field that the published contract does not list', async () => {
    const { body } = await sendRequest(world.portal, { method: 'GET', path: '/api/openapi.json' })
    let checked = 0
    for (const route of ROUTES) {
      const [method = '', pattern = ''] = route.split(' ')
      const path = pattern.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
      const call = (body as Document).paths[path]?.[method.toLowerCase()]
      if (!call) continue
      const done = await succeed(route)
      // Files have no fields.
      if (!done || done.answer.body === undefined) continue
      const schema = call.responses[String(done.answer.status)]?.content?.['application/json']?.schema
      expect(schema, `${route} answers ${done.answer.status}`).toBeDefined()
      if (schema && 'format' in schema) continue
      expect(unlisted(done.answer.body, schema as Schema), route).toEqual([])
      checked += 1
    }
    expect(checked).toBeGreaterThan(30)
  })

  test('security row 21: the settings a browser reads are the listed ones and no other', async () => {
    const { body } = await sendRequest(world.portal, { method: 'GET', path: '/api/settings' })
    const where =
      'PUBLIC_SETTINGS of tests/security/answers.db.test.ts if every browser may read it; otherwise define it by seller(…) or term(…)'
    expect(listProblems({ found: Object.keys(body as object), listed: PUBLIC_SETTINGS }, where)).toEqual([])
  })

  test('security row 21: no answer to a player holds a hash, a secret, or a phone or mail in full', async () => {
    const { portal, other } = world
    const phone = '0912345678'
    const me = await aPlayer(portal, { phone, coins: 1_000_000, isActivated: true })
    const email = 'nguoichoi.thu@example.com'
    await portal.db
      .updateTable('user_contacts')
      .set({ email, email_verified_at: new Date() })
      .where('user_id', '=', me.id)
      .execute()
    const { passwords, tokens } = await storedSecrets()
    await sendRequest(portal, {
      method: 'POST',
      path: '/api/user/transfer',
      token: me.token,
      body: { payee: other.username, amount: 1_000 },
    })
    const questions = ROUTES.filter(
      (route) => route.startsWith('GET ') && !/[:]|docs|operator/.test(route) && !isStream(route),
    )
    const answers = await Promise.all([
      ...questions.flatMap((route) =>
        [me, other].map(({ token }) =>
          sendRequest(portal, { method: 'GET', path: route.slice('GET '.length), token }),
        ),
      ),
      sendRequest(portal, { method: 'POST', path: '/api/auth/verify', body: { access_token: me.token } }),
    ])
    expect(answers.length).toBeGreaterThan(20)
    for (const { text } of answers) {
      for (const secret of [phone, phone.replace(/^0/, '84'), email, me.token, ...passwords, ...tokens])
        expect(text).not.toContain(secret)
      expect(text).not.toMatch(/\$argon2|password_hash|token_hash|referrer|wallet_account/)
    }
  })
})

async function storedSecrets(): Promise<{ passwords: string[]; tokens: string[] }> {
  const { db } = world.portal
  const users = await db.selectFrom('users').select('password_hash').execute()
  const sessions = await db.selectFrom('sessions').select('token_hash').execute()
  return {
    passwords: users.map((user) => user.password_hash),
    tokens: sessions.flatMap(({ token_hash: hash }) => [hash.toString('hex'), hash.toString('base64url')]),
  }
}

describe('what holds a player’s data', () => {
  test.each(ROUTES.filter((route) => !isStream(route)))(
    'security row 31: %s is stored by no cache once somebody is signed in',
    async (route) => {
      const request = await requestOf(world, [route, ACCESS_TABLE[route]!])
      const cached: string[] = []
      for (const token of [world.other.token, 'A'.repeat(43)]) {
        const { headers, status } = await sendRequest(world.portal, { ...request, token })
        // Answers that are the same for everybody may be cached: the OpenAPI document, and public calls without a session.
        const isOfNobody = status === 200 && (token !== world.other.token || /docs|openapi/.test(route))
        if (!isOfNobody && headers['cache-control'] !== 'no-store') cached.push(`${route} answers ${status}`)
      }
      expect(cached).toEqual([])
    },
  )

  test('security row 31: neither the exported statement nor any events are cached', async () => {
    const { portal, player, orderCode, tournamentId } = world
    const csv = await sendRequest(portal, {
      method: 'GET',
      path: '/api/user/transactions.csv',
      token: player.token,
    })
    expect([csv.status, csv.headers['cache-control']]).toEqual([200, 'no-store'])
    const streams = ROUTES.filter(isStream)
    expect(streams).toHaveLength(5)
    for (const route of streams) {
      const events = await portal.app.inject({
        url: addressOf(route.slice('GET '.length), { code: orderCode, id: tournamentId }),
        headers: {
          authorization: `Bearer ${route.includes('/operator/') ? world.owner.token : player.token}`,
        },
        payloadAsStream: true,
      })
      events.stream().destroy()
      expect([events.statusCode, events.headers['cache-control']]).toEqual([200, 'no-store'])
    }
  })
})

/** Exactly the fields of a refusal. */
const REFUSAL_FIELDS = ['code', 'errors', 'message', 'notify', 'report', 'requestId']

const TELLTALE =
  /\bat .*\.(?:ts|js):\d+|node_modules|\/src\/|SELECT|INSERT|relation|syntax|column|postgres|pg_|ECONN|127\.0\.0\.1|fastify|FST_|undefined|Error:|kysely|SQL/i

function expectGeneric({ text, body, headers }: Answer): void {
  for (const field of Object.keys(body as object)) expect(REFUSAL_FIELDS).toContain(field)
  expect(body.requestId).toBe(headers['x-request-id'])
  expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(text).not.toMatch(TELLTALE)
  for (const name of ['server', 'x-powered-by', 'via']) expect(headers[name]).toBeUndefined()
}

describe('when something is wrong', () => {
  test.each([
    '{"username":',
    '{',
    'null',
    '[]',
    '"text"',
    '',
    '{"username":"a"}}',
    '{"__proto__":{"x":1}}',
    "{'a':1}",
    '\u0000',
    `${'['.repeat(5_000)}`,
  ])('security row 42: the malformed body %j is refused in plain words', async (raw) => {
    const answer = await sendRequest(world.portal, {
      method: 'POST',
      path: '/api/auth/login',
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
    expectGeneric(answer)
  })

  test('security row 42: a broken query reveals nothing of the query', async () => {
    const { portal, player } = world
    const hidden = (to: string, from: string) => asOwner(portal, `ALTER TABLE ${from} RENAME TO ${to}`, [])
    await hidden('posts_away', 'posts')
    try {
      const answer = await sendRequest(portal, { method: 'GET', path: '/api/posts', token: player.token })
      expect(answer.status).toBe(500)
      expectGeneric(answer)
      expect(portal.logged()).toMatch(/relation \\"posts\\" does not exist/)
      expect(portal.logged()).toContain(answer.body.requestId)
    } finally {
      await hidden('posts', 'posts_away')
    }
  })

  test('security row 42: an exception of ours reveals nothing of itself', async () => {
    const broken = await startTestApp()
    // The app takes routes until its first request.
    broken.app.get('/api/pha-hong', () => {
      throw new Error('bí mật: SELECT * FROM users')
    })
    try {
      const answer = await sendRequest(broken, { method: 'GET', path: '/api/pha-hong' })
      expect(answer.status).toBe(500)
      expectGeneric(answer)
      expect(answer.text).not.toContain('bí mật')
      const line = broken
        .logged()
        .split('\n')
        .find((text) => text.includes('bí mật'))
      expect(line).toContain(answer.body.requestId)
    } finally {
      await broken.close()
    }
  })
})
