import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  closeSession,
  openSession,
  patchUser,
  dismissCard,
  resumeSession,
  session,
} from '#web/session/session-store.ts'

const user = {
  id: '1',
  username: 'hoangtuan',
  balance: 100,
  balance_version: 1,
  activated: false,
  ban_until: null,
  email_verified: false,
  phone_verified: true,
}

let stored: Map<string, string>
let mark: string | null
let fetched: { url: string; authorization: string | null; xsrf: string | null }[]

/** The browser's own parts, as far as a session touches them; `answer` is the server. */
function browser(answer: (url: string) => { status: number; body: unknown } | Error) {
  stored = new Map()
  fetched = []
  mark = null
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('document', {
    cookie: 'XSRF-TOKEN=abc',
    documentElement: {
      getAttribute: () => mark,
      setAttribute: (_name: string, value: string) => (mark = value),
      removeAttribute: () => (mark = null),
    },
  })
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Headers }) => {
    fetched.push({ url, authorization: headers.get('authorization'), xsrf: headers.get('x-xsrf-token') })
    const reply = answer(url)
    if (reply instanceof Error) throw reply
    return new Response(JSON.stringify(reply.body), { status: reply.status })
  })
}

const store = (token: string) => stored.set('auth-react-v', JSON.stringify({ access_token: token }))

beforeEach(() => {
  vi.useFakeTimers()
  session.set(session.initial)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('without a stored token no call is made', async () => {
  browser(() => new Error('no call expected'))
  await resumeSession()
  expect(session.get().status).toBe('anonymous')
  expect(fetched).toEqual([])
})

test('a stored token is verified, sent as a bearer with the echoed cookie', async () => {
  browser(() => ({ status: 200, body: user }))
  store('t1')
  await resumeSession()
  expect(session.get()).toMatchObject({ status: 'player', user: { username: 'hoangtuan' } })
  expect(fetched).toEqual([{ url: '/api/auth/verify', authorization: 'Bearer t1', xsrf: 'abc' }])
})

test.each([401, 403])('an expired token (%i) is cleared', async (status) => {
  browser(() => ({ status, body: { code: 'UNAUTHENTICATED', message: 'x' } }))
  store('t1')
  await resumeSession()
  expect(session.get().status).toBe('anonymous')
  expect(stored.has('auth-react-v')).toBe(false)
})

test('a silent or failing server does not cost the token and is called again until it answers', async () => {
  const replies = [new Error('offline'), { status: 503, body: {} }, { status: 200, body: user }]
  browser(() => replies.shift() ?? new Error('too many calls'))
  store('t1')
  await resumeSession()
  expect(session.get()).toMatchObject({ status: 'checking', isServerSilent: true })
  expect(stored.has('auth-react-v')).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(session.get().status).toBe('checking')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(session.get().status).toBe('player')
})

test('text that is no session counts as none', async () => {
  browser(() => new Error('no call expected'))
  for (const text of ['', 'null', '{', '{"access_token":5}', '[]', '{"access_token":""}']) {
    stored.set('auth-react-v', text)
    await resumeSession()
    expect(session.get().status).toBe('anonymous')
  }
})

test('signing in saves the token in the fixed shape and fetches the profile with it', async () => {
  browser(() => ({ status: 200, body: user }))
  await openSession(async () => ({ access_token: 't2', message: 'Chào' }))
  expect(stored.get('auth-react-v')).toBe('{"access_token":"t2"}')
  expect(fetched[0]).toMatchObject({ url: '/api/auth/verify', authorization: 'Bearer t2' })
  expect(session.get().status).toBe('player')
})

test('when the profile cannot be fetched after signing in, the token is removed', async () => {
  browser(() => ({ status: 500, body: {} }))
  await expect(openSession(async () => ({ access_token: 't2' }))).rejects.toMatchObject({ status: 500 })
  expect(stored.has('auth-react-v')).toBe(false)
  expect(session.get().status).toBe('anonymous')
})

test('a refused login clears what was stored before', async () => {
  browser(() => ({ status: 200, body: user }))
  store('old')
  await resumeSession()
  await expect(openSession(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(stored.has('auth-react-v')).toBe(false)
})

test('an answer about the player is applied, unless nobody is signed in', async () => {
  browser(() => ({ status: 200, body: user }))
  store('t1')
  await resumeSession()
  patchUser({ balance: 80, activated: true })
  expect(session.get().user).toMatchObject({ username: 'hoangtuan', balance: 80, activated: true })
  closeSession()
  patchUser({ balance: 5 })
  expect(session.get().user).toBeNull()
})

test('a taken gift is remembered for the next first paint, beside the activation', async () => {
  browser(() => ({ status: 200, body: { ...user, first_gift: 9_999 } }))
  store('t1')
  await resumeSession()
  expect(mark).toBe('known inactive gifted')
  expect(stored.get('portal-hint')).toBe('known inactive gifted')
  patchUser({ first_gift: null, activated: true })
  expect(mark).toBe('known newcomer')
})

test('the newcomer’s card has its reserved place until the gift is taken, or it is put aside', async () => {
  browser(() => ({ status: 200, body: { ...user, activated: true } }))
  store('t1')
  await resumeSession()
  expect(stored.get('portal-hint')).toBe('known newcomer')
  dismissCard()
  expect(mark).toBe('known')
  expect(stored.get('portal-hint')).toBe('known')
  // The reminder to activate is shown all the same.
  patchUser({ activated: false })
  expect(mark).toBe('known inactive newcomer')
})

test('the document names who is signed in, and an account to be activated is remembered for the next first paint', async () => {
  browser(() => ({ status: 200, body: user }))
  store('t1')
  const resumed = resumeSession()
  expect(mark).toBe('')
  await resumed
  expect(mark).toBe('known inactive newcomer')
  expect(stored.get('portal-hint')).toBe('known inactive newcomer')
  patchUser({ activated: true })
  expect(mark).toBe('known newcomer')
  expect(stored.get('portal-hint')).toBe('known newcomer')
  closeSession()
  expect(mark).toBeNull()
  expect(stored.has('portal-hint')).toBe(false)
})

test('while a player is banned a first paint waits for the notice, at this visit and at the next', async () => {
  const inADay = new Date(Date.now() + 86_400_000).toISOString()
  browser(() => ({ status: 200, body: { ...user, activated: true, ban_until: inADay } }))
  store('t1')
  await resumeSession()
  expect(mark).toBe('known wait')
  expect(stored.get('portal-hint')).toBe('known wait')
  patchUser({ ban_until: null })
  expect(mark).toBe('known newcomer')
  expect(stored.get('portal-hint')).toBe('known newcomer')
})

test('the page waits for the server’s answer unless the server is silent', async () => {
  const replies = [
    { status: 503, body: {} },
    { status: 200, body: user },
  ]
  browser(() => replies.shift() ?? new Error('too many calls'))
  mark = 'known inactive wait'
  store('t1')
  const resumed = resumeSession()
  expect(mark).toBe('known inactive wait')
  await resumed
  expect(mark).toBe('known inactive')
})
