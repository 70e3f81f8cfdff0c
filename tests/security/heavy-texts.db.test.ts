import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { useTestApp, type TestAnswer } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { longestBlock, slownessNow } from '#tests/support/timing.ts'
import { contractEndpoints, textFields } from './contract-fields.ts'
import { HEAVY_TEXTS, HOSTILE_VALUES, NESTED, OF_LETTERS, SLOWEST } from './heavy-texts.ts'

/** Of the thread that answers everybody, in milliseconds of its CPU time on a machine of usual speed. */
const BLOCK_MAX = 50

const portal = useTestApp()
const { owner } = useOperators(portal, { owner: 'owner' })
let post: { id: string }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const reason = 'Thử văn bản nặng'
const act = (method: Method, path: string, body?: unknown) =>
  portal.call(method, `/api/operator${path}`, { token: owner.token, body })

beforeAll(async () => {
  const content = `<p>${'a'.repeat(30_000)}</p>`
  // The thread for long texts is there from now on.
  post = (await act('POST', '/posts', { title: 'Bài', content, reason })).body
})

/** Each call that takes a long text, with it. */
const WRITERS: Record<string, (content: string) => Promise<TestAnswer>> = {
  'POST /operator/posts': (content) =>
    act('POST', '/posts', { title: 'Bài mới', content, published: false, reason }),
  'PUT /operator/posts/{id}': (content) => act('PUT', `/posts/${post.id}`, { title: 'Bài', content, reason }),
  'PUT /operator/posts/{id}/draft': async (content) => {
    const { updated_at } = (await act('GET', `/posts/${post.id}`)).body
    return act('PUT', `/posts/${post.id}/draft`, { title: 'Bài', content, updated_at })
  },
  'PUT /operator/legal/{kind}/draft': (content) => act('PUT', '/legal/terms/draft', { content, based_on: 1 }),
  'POST /operator/legal/{kind}/versions': async (content) => {
    const { version } = (await act('GET', '/legal/terms')).body
    return act('POST', '/legal/terms/versions', { content, version, reason })
  },
}

const storeLegalText = (text: { version: number; content: string }) =>
  portal.db
    .insertInto('legal_text')
    .values({ kind: 'refunds', published_by: owner.id, ...text })
    .execute()

type Blocks = Record<string, number>

/** Under load a collection of garbage may fall into several in a row. */
const ATTEMPTS = 8

/** What holds up the others does so each time; what collects the garbage of the tests does not. */
async function blockOf(work: (attempt: number) => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 1; attempt <= ATTEMPTS && least > BLOCK_MAX; attempt++) {
    const block = await longestBlock(() => work(attempt))
    // How slow the machine is does not matter, and takes longer to find out than most calls, when the block is short anyway.
    least = Math.min(least, block > BLOCK_MAX ? block / slownessNow() : block)
  }
  return least
}

const tooLong = (blocks: Blocks) => Object.entries(blocks).filter(([, ms]) => ms > BLOCK_MAX)

const operatorCalls = (await contractEndpoints()).filter(({ path }) => path.startsWith('/operator/'))

const LONG = 'a'.repeat(20_000)

/** Whether some text field of the body may be so long. */
function takesLongText(endpoint: Endpoint): boolean {
  return textFields(endpoint).some(({ where, path, put }) => {
    const issues = where === 'body' ? (endpoint.body?.safeParse(put(LONG)).error?.issues ?? []) : null
    return path.includes('content') && issues?.every((issue) => issue.path.join() !== path.join())
  })
}

test('security row 36: the calls that take a long text are those of this test', () => {
  const found = operatorCalls.filter(takesLongText).map(({ method, path }) => `${method} ${path}`)
  expect(found.toSorted()).toEqual(Object.keys(WRITERS).toSorted())
})

describe('security row 36: a text of 199,000 characters holds up nobody', () => {
  test.each(Object.entries(WRITERS))('sent with %s', async (name, write) => {
    // All cases are more than an operator may do in a minute.
    await asOwner(portal, `DELETE FROM rate_limit WHERE key LIKE 'operator-acts:%'`)
    const others = Object.keys(hasAllCases ? HEAVY_TEXTS : OF_LETTERS)
    const share = everyNth(others, Object.keys(WRITERS).length, Object.keys(WRITERS).indexOf(name))
    const blocks: Blocks = {}
    for (const shape of new Set([SLOWEST, NESTED, ...share])) {
      const text = HEAVY_TEXTS[shape] as string
      blocks[shape] = await blockOf(async (attempt) => {
        const { status, body } = await write(text + 'a'.repeat(attempt))
        expect([200, 201, 422], `${shape}: ${JSON.stringify(body).slice(0, 200)}`).toContain(status)
      })
    }
    expect(tooLong(blocks)).toEqual([])
  })

  const READERS = [
    '/api/posts/{id}',
    '/api/operator/posts/{id}',
    '/api/operator/posts/{id}/preview',
    '/api/operator/posts',
    '/api/legal/refunds',
    '/api/operator/legal/refunds',
  ]

  test.each(READERS)('stored before there was a bound, read with GET %s', async (address) => {
    const path = address.replace('{id}', post.id)
    // What the tests before have left would be in the list too: megabytes that no operator has written.
    await portal.db.deleteFrom('posts').where('id', '<>', post.id).execute()
    const block = await blockOf(async (attempt) => {
      // Another text each time: the answer for one is cached.
      const content = `${HEAVY_TEXTS[SLOWEST]}${path}${attempt}`
      const version = 2 + READERS.indexOf(address) * ATTEMPTS + attempt
      if (path.includes('/legal/')) await storeLegalText({ version, content })
      else await portal.db.updateTable('posts').set({ content }).where('id', '=', post.id).execute()
      expect((await portal.call('GET', path, { token: owner.token })).status, path).toBe(200)
    })
    expect(tooLong({ [path]: block })).toEqual([])
  })

  test('nor do many shorter ones in one list', async () => {
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    for (const _ of numbers) await act('POST', '/posts', { title: 'Bài', content: '<p>x</p>', reason })
    const rows = await portal.db.selectFrom('posts').select('id').orderBy('id', 'desc').limit(20).execute()
    const list = await blockOf(async (attempt) => {
      for (const [at, { id }] of rows.entries()) {
        const content = '<p>a'.repeat(4_000 + 20 * attempt + at)
        await portal.db.updateTable('posts').set({ content }).where('id', '=', id).execute()
      }
      expect((await act('GET', '/posts?sort=["id","DESC"]&range=[0,19]')).body).toHaveLength(20)
    })
    expect(tooLong({ list })).toEqual([])
  })
})

/** The call with the same text in every field of its address or body. */
function everywhere(endpoint: Endpoint, text: string): { path: string; body?: unknown } {
  const fields = textFields(endpoint)
  const of = (where: string) => fields.filter((field) => field.where === where)
  // What fits into the head of a request.
  const inHead = encodeURIComponent(text.slice(0, 2_000).toWellFormed())
  const query = of('query').map(({ path }) => `${path[0]}=${inHead}`)
  const share = Math.floor(200_000 / Math.max(1, of('body').length) / 3)
  const body = of('body').reduce<unknown>((rest, { put }) => put(text.slice(0, share), rest), undefined)
  const path = endpoint.path.replace(/\{\w+\}/g, '1')
  return {
    path: `${path.replace('/operator', '')}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    ...(body === undefined ? {} : { body }),
  }
}

const callsWithText = operatorCalls.filter(
  (endpoint) => textFields(endpoint).length > 0 && endpoint.form === undefined,
)

test('security row 36: the calls with a text field are found', () => {
  expect(callsWithText.length).toBeGreaterThan(100)
})

/** The part of the console that a call belongs to. */
const partOf = (endpoint: Endpoint) => endpoint.path.split('/')[2] as string

describe('security row 36: no other text of an operator’s call does', () => {
  test.each([...new Set(callsWithText.map(partOf))])('in /operator/%s', async (part) => {
    const blocks: Blocks = {}
    const texts = Object.entries(HOSTILE_VALUES)
    for (const [at, endpoint] of callsWithText.entries()) {
      if (partOf(endpoint) !== part) continue
      for (const [name, text] of everyNth(texts, texts.length, at)) {
        const { path, body } = everywhere(endpoint, text)
        const key = `${endpoint.method} ${endpoint.path}: ${name}`
        blocks[key] = await blockOf(() => act(endpoint.method, path, body))
      }
    }
    expect(tooLong(blocks)).toEqual([])
  })
})
