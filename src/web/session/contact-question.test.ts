import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  closeSession,
  contactQuestion,
  openSession,
  patchUser,
  putOffContacts,
  resumeSession,
  session,
} from '#web/session/session-store.ts'

const WEEK_MS = 7 * 86_400_000

let stored: Map<string, string>
let mark: string | null
let user: Parameters<typeof putOffContacts>[0]
let id = 0

beforeEach(() => {
  vi.useFakeTimers()
  id += 1
  user = {
    id: String(id),
    activated: true,
    first_gift: 9_999,
    ban_until: null,
    email_verified: false,
    phone_verified: false,
  } as typeof user
  stored = new Map([['auth-react-v', '{"access_token":"t1"}']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('document', {
    cookie: '',
    documentElement: {
      getAttribute: () => mark,
      setAttribute: (_name: string, value: string) => (mark = value),
      removeAttribute: () => (mark = null),
    },
  })
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(user)))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A document of the portal, marked by the script in its head. */
async function openDocument(): Promise<void> {
  session.set(session.initial)
  contactQuestion.set(false)
  mark = stored.get('portal-hint') ?? 'wait'
  await resumeSession()
}

const words = () => mark?.split(' ') ?? []

test.each([
  { proved: {}, isAsked: true },
  { proved: { phone_verified: true }, isAsked: false },
  { proved: { email_verified: true }, isAsked: false },
])('with $proved, a player is asked: $isAsked', async ({ proved, isAsked }) => {
  Object.assign(user, proved)
  await openDocument()
  expect(contactQuestion.get()).toBe(isAsked)
  expect(words().includes('unproved')).toBe(isAsked)
  expect(stored.get('portal-hint')?.includes('unproved')).toBe(isAsked)
})

test('who signs in without a proved contact is asked at once', async () => {
  await openDocument()
  closeSession()
  expect(contactQuestion.get()).toBe(false)
  await openSession(async () => ({ access_token: 't2' }))
  expect(contactQuestion.get()).toBe(true)
})

test('a contact that is proved ends the question, in this document and in the next', async () => {
  await openDocument()
  patchUser({ phone_verified: true })
  expect(contactQuestion.get()).toBe(false)
  Object.assign(user, { phone_verified: true })
  await openDocument()
  expect(contactQuestion.get()).toBe(false)
})

test('who puts it off is asked again after a week, with a document that has the place for it from the first paint on', async () => {
  await openDocument()
  putOffContacts(user)
  expect(contactQuestion.get()).toBe(false)
  expect(words()).not.toContain('unproved')

  vi.setSystemTime(Date.now() + WEEK_MS - 60_000)
  await openDocument()
  expect(contactQuestion.get()).toBe(false)

  vi.setSystemTime(Date.now() + 60_000)
  await openDocument()
  // Nobody knew when the page was painted: the card would push it down.
  expect(contactQuestion.get()).toBe(false)
  expect(words()).not.toContain('unproved')
  await openDocument()
  expect(words()).toContain('unproved')
  expect(contactQuestion.get()).toBe(true)
})

test('one player of a device puts it off for nobody else', async () => {
  await openDocument()
  putOffContacts(user)
  user = { ...user, id: `${user.id}-other` }
  closeSession()
  await openSession(async () => ({ access_token: 't2' }))
  expect(contactQuestion.get()).toBe(true)
})

test('it is put off for this document where nothing can be stored', async () => {
  await openDocument()
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  })
  putOffContacts(user)
  expect(contactQuestion.get()).toBe(false)
})
