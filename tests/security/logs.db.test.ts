import { randomInt } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { SEPAY_SECRET } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { setProof } from '#tests/support/operators.ts'
import { requestOf } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest, type Answer, type RequestInput } from './send-request.ts'
import { useWorld } from './cast.ts'

const world = useWorld({ overrides: { withPages: true } })
beforeEach(() => world.forgetPace())

type Line = Record<string, unknown>

const lines = (): Line[] =>
  world.portal
    .logged()
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Line)

/** The lines of one request, each with who made it, from where and when. */
function expectLogged(
  { headers }: Answer,
  { expectation, who }: { expectation: Line; who: string | undefined },
): void {
  const ofRequest = lines().filter(({ requestId }) => requestId === headers['x-request-id'])
  expect(ofRequest).toContainEqual(expect.objectContaining(expectation))
  expect(ofRequest.map(({ userId }) => userId)).toContain(who)
  const request = ofRequest.find(({ msg }) => msg === 'request')
  expect(request).toMatchObject({ address: expect.stringMatching(/^10\.\d+\.\d+\.\d+$/) })
  for (const { time } of ofRequest) expect(Date.now() - Date.parse(String(time))).toBeLessThan(60_000)
}

/** All calls that need a session, but for streams, and for those that end it. */
const WITH_SESSION = Object.entries(ACCESS_TABLE).filter(
  ([route, { status }]) =>
    status.nobody === 401 &&
    (status.player !== 401 || status.owner !== 401) &&
    !/\/events$|logout$|DELETE .*\/session$/.test(route),
)

const login = (username: string, password: string): RequestInput => ({
  method: 'POST',
  path: '/api/auth/login',
  body: { username, password },
})
const wrongPassword = { current_password: 'khong-phai-no', given_up: 0 }

type Logged = {
  what: string
  question(): RequestInput
  status: number
  expectation: Line
  who(): string | undefined
}
const player = () => world.player.id
const nobody = () => undefined
const ofPlayer = (method: string, path: string, body?: unknown) => (): RequestInput => ({
  method,
  path,
  body,
  token: world.player.token,
})

/** Fields of the log line beside the call and its answer. */
const EVENTS: Logged[] = [
  {
    what: 'a login',
    question: () => login(world.player.username, world.player.password),
    status: 200,
    expectation: { event: 'login.succeeded' },
    who: player,
  },
  {
    what: 'a login with a wrong password',
    question: () => login(world.player.username, 'khong-phai-no'),
    status: 422,
    expectation: { event: 'login.failed' },
    who: player,
  },
  {
    what: 'a login with an unknown name',
    question: () => login('khongcoai', 'mat-khau-12'),
    status: 422,
    expectation: { event: 'login.failed', userId: null },
    who: nobody,
  },
  {
    what: 'a registration that is refused',
    question: () => ({
      method: 'POST',
      path: '/api/auth/register',
      body: { username: world.player.username, password: 'mat-khau-12', phone: '0987654321' },
    }),
    status: 422,
    expectation: { route: '/api/auth/register', refusal: 'USERNAME_TAKEN' },
    who: nobody,
  },
  {
    what: 'a download of one’s own data with a wrong password',
    question: ofPlayer('POST', '/api/user/personal-data', wrongPassword),
    status: 422,
    expectation: { event: 'password.check-refused' },
    who: player,
  },
  {
    what: 'a request to be erased with a wrong password',
    question: ofPlayer('POST', '/api/user/deletion-request', wrongPassword),
    status: 422,
    expectation: { event: 'password.check-refused' },
    who: player,
  },
  {
    what: 'an operator’s call by a player',
    question: ofPlayer('POST', '/api/operator/posts', { title: 'Bài', content: '<p>Bài.</p>' }),
    status: 401,
    expectation: { msg: 'an operator call was refused', permission: 'posts.write' },
    who: player,
  },
  {
    what: 'a call with a dead session',
    question: () => ({ method: 'GET', path: '/api/user/transactions', token: 'A'.repeat(43) }),
    status: 401,
    expectation: { route: '/api/user/transactions', refusal: 'UNAUTHENTICATED' },
    who: nobody,
  },
  {
    what: 'a notification with a wrong signature',
    question: () => ({ method: 'POST', path: '/api/webhooks/sepay', body: { id: 1 } }),
    status: 401,
    expectation: { route: '/api/webhooks/sepay', status: 401 },
    who: nobody,
  },
  {
    what: 'the end of a session',
    question: ofPlayer('POST', '/api/auth/logout'),
    status: 204,
    expectation: { event: 'logout' },
    who: player,
  },
]

describe('the log contains', () => {
  test.each(WITH_SESSION)(
    'security row 44: %s, with its answer, time, who, address and request id',
    async (call, row) => {
      const name = row.status.player === 401 ? 'owner' : 'player'
      const [method, route] = call.split(' ')
      const { token, id } = world[name]
      const answer = await sendRequest(world.portal, { ...(await requestOf(world, [call, row])), token })
      expect(answer.status, answer.text).toBe(row.status[name])
      const refusal = answer.status >= 400 ? { refusal: answer.body.code as string } : {}
      expectLogged(answer, { expectation: { route, method, status: answer.status, ...refusal }, who: id })
    },
  )

  test.each(EVENTS)('security row 44: $what', async ({ question, status, expectation, who }) => {
    const answer = await sendRequest(world.portal, question())
    expect(answer.status, answer.text).toBe(status)
    expectLogged(answer, { expectation, who: who() })
  })

  test('security row 44: a change of a money setting without a fresh proof', async () => {
    await setProof(world.portal, world.owner, { isFresh: false })
    const body = { values: { manual_credit_limit: '1' }, updated_at: null, reason: 'Đổi mức' }
    const question = { method: 'PUT', path: '/api/operator/settings', token: world.owner.token, body }
    const answer = await sendRequest(world.portal, question)
    expect(answer.status).toBe(409)
    const expectation = { route: '/api/operator/settings', status: 409, refusal: 'STEP_UP_REQUIRED' }
    expectLogged(answer, { expectation, who: world.owner.id })
  })
})

const PASSWORD = 'mat-khau-bi-mat-9'
const WRONG = 'mat-khau-sai-roi-1'
const NEW_PHONE = `09${String(randomInt(10 ** 8)).padStart(8, '0')}`
const EMAIL = 'ai.do.rieng.tu@example.com'
const CODE = '739105'

/** Everything a player does with what is theirs alone: rightly, wrongly, and when things break. */
async function handleSecrets(): Promise<string[]> {
  const { portal, player, owner } = world
  const send = (path: string, body: unknown, token?: string, method = 'POST') =>
    sendRequest(portal, { method, path, body, token })
  const username = `rieng${randomInt(10 ** 9)}`
  const registration = { username, password: PASSWORD, phone: NEW_PHONE, email: EMAIL }
  const made = await send('/api/auth/register', registration)
  expect(made.status).toBe(201)
  const token = made.body.access_token as string
  await send('/api/auth/register', registration)
  await send('/api/auth/register', { ...registration, username: `${username}b` })
  await send('/api/auth/register', { ...registration, server_id: 'khong-co' })
  await send('/api/auth/login', { username, password: WRONG, otp: CODE })
  // A password typed into the wrong field.
  await send('/api/auth/login', { username: PASSWORD, password: PASSWORD })
  const login = await send('/api/auth/login', { username, password: PASSWORD })
  await send('/api/auth/verify', { access_token: token })
  await send('/api/user/transfer', { payee: PASSWORD, amount: 1 }, token)
  for (const path of [
    `/api/user/transactions?access_token=${token}&search=${NEW_PHONE}&token=${token}`,
    `/password/${token}`,
    `/home?token=${token}&password=${PASSWORD}&email=${EMAIL}`,
    `/api/khong-co/${token}`,
    `/%zz?token=${token}`,
  ])
    await send(path, undefined, token, 'GET')
  const json = { 'content-type': 'application/json' }
  const cutShort = `{"password":"${PASSWORD}"`
  await sendRequest(portal, { method: 'POST', path: '/api/auth/login', raw: cutShort, headers: json })
  await sendRequest(portal, {
    method: 'POST',
    path: '/api/webhooks/sepay',
    body: { id: 1 },
    headers: { authorization: `Apikey ${SEPAY_SECRET}` },
  })
  await send(
    '/api/operator/settings',
    { values: { site_name: 'Tên' }, updated_at: null, reason: 'Đổi tên' },
    owner.token,
    'PUT',
  )
  const away = (from: string, to: string) => asOwner(portal, `ALTER TABLE ${from} RENAME TO ${to}`, [])
  await away('user_contacts', 'contacts_away')
  try {
    const broken = await send('/api/auth/register', { ...registration, username: `${username}c` })
    expect(broken.status).toBe(500)
    await send('/api/auth/verify', { access_token: token })
  } finally {
    await away('contacts_away', 'user_contacts')
  }
  const url = new URL(portal.appUrl)
  return [
    PASSWORD,
    WRONG,
    NEW_PHONE,
    NEW_PHONE.replace(/^0/, '84'),
    NEW_PHONE.slice(1),
    EMAIL,
    CODE,
    token,
    login.body.access_token as string,
    owner.token,
    player.password,
    SEPAY_SECRET,
    decodeURIComponent(url.password),
  ]
}

describe('the log does not contain', () => {
  test('security row 43: passwords, tokens, codes, phones and mails, whatever happens', async () => {
    const secrets = await handleSecrets()
    const text = world.portal.logged()
    expect(text.length).toBeGreaterThan(5_000)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5)
      expect(text.includes(secret), `the log holds ${secret}`).toBe(false)
      expect(text.includes(encodeURIComponent(secret)), `the log holds ${secret} in an address`).toBe(false)
    }
    // By their form: 256 random bits, a hash of a password, a mobile number, a bearer header.
    expect(text).not.toMatch(/(?<![\w-])[A-Za-z0-9_-]{43}(?![\w-])/)
    expect(text).not.toMatch(/\$argon2|Bearer /)
    // Digits within an id or a digest are no number.
    expect(text).not.toMatch(/(?<![\w.-])(?:84|0)[35789]\d{8}(?!\w)/)
  })

  test('security row 43: no line can be forged by a request', async () => {
    const { portal, other } = world
    const forged = '\r\n{"level":"info","time":"2026-01-01T00:00:00.000Z","msg":"forged"}\r\n'
    const address = encodeURIComponent(forged)
    const before = lines().length
    const requests: RequestInput[] = [
      { method: 'GET', path: `/api/${address}` },
      { method: 'GET', path: `/${address}` },
      { method: 'GET', path: `/api/posts?before=${address}` },
      { method: 'POST', path: '/api/auth/login', body: { username: `a${forged}`, password: forged } },
      { method: 'POST', path: '/api/user/transfer', token: other.token, body: { payee: forged, amount: 1 } },
      {
        method: 'POST',
        path: '/api/auth/login',
        raw: forged,
        headers: { 'content-type': 'application/json' },
      },
      { method: 'GET', path: '/home', headers: { 'user-agent': `x${address}`, 'x-request-id': 'forged' } },
    ]
    for (const question of requests) await sendRequest(portal, question)
    const after = lines().slice(before)
    expect(after.length).toBeGreaterThanOrEqual(requests.length)
    for (const line of after) {
      expect(line.msg).not.toBe('forged')
      expect(line.requestId).not.toBe('forged')
    }
  })
})
