import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
let player: TestPlayer
let payee: TestPlayer
beforeAll(async () => {
  player = await aPlayer(portal, { isActivated: true, coins: 100_000 })
  payee = await aPlayer(portal)
})

/** A body byte for byte. */
async function transfer(payload: string): Promise<{ status: number; code: string | undefined }> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/user/transfer',
    headers: { authorization: `Bearer ${player.token}`, 'content-type': 'application/json' },
    payload,
  })
  return { status: answer.statusCode, code: (answer.json() as { code?: string }).code }
}

const balance = async () =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })).body
    .balance as number

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('security row 34: JSON that is not what it seems', () => {
  test.each<[string, (payee: string) => string]>([
    ['a list', () => '[]'],
    ['a text', () => '"payee"'],
    ['null', () => 'null'],
    ['a number', () => '1'],
    ['no JSON', () => '{payee:1}'],
    ['half of it', () => '{"payee":"a"'],
    ['a comment', (to) => `{"payee":"${to}","amount":1/**/}`],
    ['NaN', (to) => `{"payee":"${to}","amount":NaN}`],
    ['__proto__', (to) => `{"payee":"${to}","amount":1,"__proto__":{"activate":true}}`],
    ['__proto__ escaped', (to) => `{"payee":"${to}","amount":1,"\\u005f_proto__":{"activate":true}}`],
    ['__proto__ within', (to) => `{"payee":"${to}","amount":1,"a":[{"__proto__":{}}]}`],
    [
      'constructor.prototype',
      (to) => `{"payee":"${to}","amount":1,"constructor":{"prototype":{"activate":true}}}`,
    ],
    ['21 objects in each other', () => nested(21)],
    ['21 lists in each other', (to) => `{"payee":"${to}","amount":1,"a":${'['.repeat(20)}${']'.repeat(20)}}`],
    ['100,000 lists in each other', () => '['.repeat(100_000)],
  ])('security row 34: %s is 400 and moves nothing', async (_, body) => {
    const before = await balance()
    expect(await transfer(body(payee.username))).toEqual({ status: 400, code: 'BAD_REQUEST' })
    expect(await balance()).toBe(before)
  })

  test.each<[string, (payee: string) => string]>([
    ['a list for a text', (to) => `{"payee":["${to}"],"amount":1}`],
    ['an object for a text', (to) => `{"payee":{"$eq":"${to}"},"amount":1}`],
    ['a list for a number', (to) => `{"payee":"${to}","amount":[1]}`],
    ['a text for a number', (to) => `{"payee":"${to}","amount":"1"}`],
    ['true for a number', (to) => `{"payee":"${to}","amount":true}`],
    ['a fraction', (to) => `{"payee":"${to}","amount":1.5}`],
    ['a little more than one', (to) => `{"payee":"${to}","amount":1.0000000001}`],
    ['a negative one', (to) => `{"payee":"${to}","amount":-1}`],
    ['minus zero', (to) => `{"payee":"${to}","amount":-0}`],
    ['1e400', (to) => `{"payee":"${to}","amount":1e400}`],
    ['2^53', (to) => `{"payee":"${to}","amount":9007199254740992}`],
    ['400 digits', (to) => `{"payee":"${to}","amount":${'9'.repeat(400)}}`],
    ['a text for a yes', (to) => `{"payee":"${to}","amount":1,"activate":"true"}`],
    ['a payee of 100,000 letters', () => `{"payee":"${'a'.repeat(100_000)}","amount":1}`],
    ['the second of two amounts, when that is wrong', (to) => `{"payee":"${to}","amount":1,"amount":-5}`],
  ])('security row 34: %s is 422 and moves nothing', async (_, body) => {
    const before = await balance()
    expect((await transfer(body(payee.username))).status).toBe(422)
    expect(await balance()).toBe(before)
  })

  test('security row 34: of a key that comes twice the last one is checked and is what happens', async () => {
    const before = await balance()
    const answer = await transfer(`{"payee":"${payee.username}","amount":-5,"amount":7}`)
    expect(answer.status).toBe(200)
    expect(await balance()).toBe(before - 7)
  })

  test('security row 34: twenty objects in each other are a body like any other, in which unknown keys mean nothing', async () => {
    const answer = await transfer(`{"payee":"${payee.username}","amount":1,"a":${nested(19)},"toString":1}`)
    expect(answer.status).toBe(200)
    expect(({} as Record<string, unknown>).activate).toBeUndefined()
  })

  test.each([
    '/api/posts?limit=1&limit=2',
    '/api/posts?limit=1e3',
    '/api/posts?limit=99999999999999999999',
    '/api/posts?before=1&before=2',
    '/api/user/transactions?page=1&page=2',
    '/api/user/transactions?page=-1',
    '/api/user/transactions?sort=amount&sort=created_at',
  ])('security row 34: %s is 422', async (path) => {
    const answer = await portal.call('GET', path, { token: player.token })
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('VALIDATION')
  })

  test('security row 34: keys of a query that name a prototype mean nothing', async () => {
    const answer = await portal.call(
      'GET',
      '/api/posts?limit[]=x&__proto__=1&constructor[prototype][limit]=1&limit=1',
    )
    expect(answer.status).toBe(200)
  })
})
