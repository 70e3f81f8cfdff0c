import { randomInt, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeOrderCode } from '#server/modules/recharge/order-code.rules.ts'
import { bothBodies } from '#tests/support/uploads.ts'
import { balanceOf } from '#tests/support/ledger.ts'
import { requestOf } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest, type Answer, type RequestInput } from './send-request.ts'
import { type Caller, CALLERS, useWorld, type World } from './cast.ts'

const world = useWorld()

/** The visible parts of an answer that do not change each time. */
const visibleParts = ({ status, headers, text }: Answer) => {
  const { date: _date, 'x-server-time': _time, 'x-request-id': requestId = '', ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(requestId, '') }
}

const NO_ID = '999999999999'

async function sessionOf({ portal, player }: World): Promise<string> {
  const { body } = await sendRequest(portal, {
    method: 'GET',
    path: '/api/auth/sessions',
    token: player.token,
  })
  return (body as { id: string }[])[0]?.id as string
}

async function aDraft({ portal, owner }: World): Promise<string> {
  const body = { title: 'Chưa đăng', content: '<p>Chưa đăng.</p>', published: false, reason: 'Thử' }
  const answer = await sendRequest(portal, {
    method: 'POST',
    path: '/api/operator/posts',
    token: owner.token,
    body,
  })
  return (answer.body as { id: string }).id
}

type Theft = {
  what: string
  /** The id that is not the caller's, and one of the same form that never was. */
  ids(): Promise<[theirs: string, none: string]> | [theirs: string, none: string]
  question(id: string): RequestInput
}

const unknownOrder = () => makeOrderCode(randomInt)

const THEFTS: Theft[] = [
  {
    what: 'an order',
    ids: () => [world.orderCode, unknownOrder()],
    question: (code) => ({ method: 'GET', path: `/api/recharge/orders/${code}` }),
  },
  {
    what: 'the events of an order',
    ids: () => [world.orderCode, unknownOrder()],
    question: (code) => ({ method: 'GET', path: `/api/recharge/orders/${code}/events` }),
  },
  {
    what: 'the cancelling of an order',
    ids: () => [world.orderCode, unknownOrder()],
    question: (code) => ({ method: 'POST', path: `/api/recharge/orders/${code}/cancel` }),
  },
  {
    what: 'the paying of an order in the sandbox',
    ids: () => [world.orderCode, unknownOrder()],
    question: (code) => ({ method: 'POST', path: '/api/sandbox/pay', body: { code } }),
  },
  {
    what: 'the receipt of a purchase',
    ids: async () => [await world.aDelivery(), randomUUID()],
    question: (id) => ({ method: 'GET', path: `/api/user/deliveries/${id}` }),
  },
  {
    what: 'a session',
    ids: async () => [await sessionOf(world), NO_ID],
    question: (id) => ({ method: 'DELETE', path: `/api/auth/sessions/${id}` }),
  },
  {
    what: 'a character to buy luong for',
    ids: () => [world.characterId, NO_ID],
    question: (id) => ({
      method: 'POST',
      path: '/api/exchange/store',
      body: { character_id: id, amount: 10_000 },
    }),
  },
  {
    what: 'a character to buy a gift for',
    ids: () => [world.characterId, NO_ID],
    question: (id) => ({
      method: 'POST',
      path: '/api/user/buy-package',
      body: { character_id: id, package_id: 9_999 },
    }),
  },
  {
    what: 'a reference in the statement',
    ids: () => [world.orderCode, unknownOrder()],
    question: (id) => ({ method: 'GET', path: `/api/user/transactions?search=${id}` }),
  },
  {
    what: 'a reference in the exported statement',
    ids: () => [world.orderCode, unknownOrder()],
    question: (id) => ({ method: 'GET', path: `/api/user/transactions.csv?search=${id}` }),
  },
  {
    what: 'a post that is not published',
    ids: async () => [await aDraft(world), NO_ID],
    question: (id) => ({ method: 'GET', path: `/api/posts/${id}` }),
  },
  {
    what: 'the place of a post that is not published',
    ids: async () => [await aDraft(world), NO_ID],
    question: (id) => ({ method: 'GET', path: `/api/posts?before=${id}` }),
  },
]

describe('ids of another player', () => {
  test.each(THEFTS)('security row 19: $what is answered like an id that does not exist', async (theft) => {
    const { portal, other } = world
    const [theirs, none] = await theft.ids()
    const answerTo = (id: string) => sendRequest(portal, { ...theft.question(id), token: other.token })
    const [answer, unknown] = [await answerTo(theirs), await answerTo(none)]
    expect(visibleParts(answer)).toEqual(visibleParts(unknown))
    expect(answer.status).toBeLessThan(500)
  })

  test('security row 19: after the attempt it still belongs to its owner', async () => {
    const { portal, player, orderCode } = world
    const order = await sendRequest(portal, {
      method: 'GET',
      path: `/api/recharge/orders/${orderCode}`,
      token: player.token,
    })
    expect(order.body).toMatchObject({ status: 'pending', credited: 0 })
    expect(await balanceOf(portal.db, player.walletId)).toBe(2_000_000)
    expect(await sessionOf(world)).toEqual(expect.any(String))
  })

  test('security row 19: a statement holds entries of its own wallet only, whatever it is filtered by', async () => {
    const { portal, player, other } = world
    const references = async (token: string, query: string) => {
      const answer = await sendRequest(portal, {
        method: 'GET',
        path: `/api/user/transactions${query}`,
        token,
      })
      return (answer.body as { data: { id: string }[] }).data.map(({ id }) => id)
    }
    const own = new Set(await references(player.token, ''))
    expect(own.size).toBeGreaterThan(1)
    for (const query of [
      '',
      '?filter_type=adjustment',
      `?search=${player.username}`,
      '?user_id=1&userId=1',
    ]) {
      for (const id of await references(other.token, query)) expect(own.has(id), query).toBe(false)
    }
  })
})

describe('fields that are not in the schema', () => {
  const extras = () => ({
    id: '1',
    user_id: world.other.id,
    userId: world.other.id,
    wallet_account_id: world.other.walletId,
    balance: 10 ** 12,
    activated: true,
    role_names: ['owner'],
    roles: ['owner'],
    permission_names: ['wallet.adjust', 'settings.money'],
    is_admin: true,
    ban_until: null,
    first_gift: null,
    email_verified: true,
    phone_verified: true,
    price: 0,
    rate: 1_000,
    bonus: 1_000,
    receive: 10 ** 9,
    credited: 10 ** 9,
    status: 'paid',
    views: 10 ** 6,
    author: 'Kẻ gian',
    created_at: '2000-01-01T00:00:00.000Z',
    is_public: true,
  })

  const takesBody = Object.entries(ACCESS_TABLE).filter(
    ([route, { probe }]) => /^(POST|PUT) /.test(route) && probe !== undefined && !route.endsWith('/cancel'),
  )

  test.each(takesBody)('security row 20: %s ignores them', async (route, row) => {
    const { portal, cast } = world
    const caller: Caller = CALLERS.find((name) => row.status[name] < 300) ?? 'player'
    const request = await requestOf(world, [route, row])
    const answer = await sendRequest(portal, {
      ...request,
      token: cast[caller]?.token,
      body: bothBodies(extras(), request.body),
    })
    expect(answer.status).toBe(row.status[caller])
    expect(answer.body).not.toMatchObject({ author: 'Kẻ gian' })
    // An act without an answer has no body.
    expect(answer.body?.views ?? 0).toBe(0)
    expect(answer.text).not.toContain('2000-01-01')
  })

  test('security row 20: they have changed nothing for the player who sent them', async () => {
    const { portal, player, other } = world
    const me = await sendRequest(portal, {
      method: 'POST',
      path: '/api/auth/verify',
      body: { access_token: player.token },
    })
    expect(me.body).toMatchObject({ id: player.id, role_names: [], permission_names: [], first_gift: 9_999 })
    expect(me.body).toMatchObject({ email_verified: false, phone_verified: false })
    // 1,000 were transferred, 10,000 exchanged, 9,999 paid for the gift.
    expect(me.body.balance).toBe(2_000_000 - 1_000 - 10_000 - 9_999)
    expect(await balanceOf(portal.db, other.walletId)).toBe(2_000_000)
    const { body } = await sendRequest(portal, {
      method: 'GET',
      path: '/api/user/deliveries',
      token: player.token,
    })
    const exchange = (body as { data: { kind: string }[] }).data.find(({ kind }) => kind === 'exchange')
    // 10,000 × 30 per 100 × 110 %.
    expect(exchange).toMatchObject({ amount: 10_000, goods: [{ kind: 'luong', quantity: 3_300 }] })
    const orders = await sendRequest(portal, {
      method: 'GET',
      path: '/api/recharge/orders',
      token: player.token,
    })
    for (const order of (orders.body as { data: object[] }).data)
      expect(order).toMatchObject({ credited: 0, status: 'pending' })
  })

  test('security row 20: a registration with them makes a player like any other', async () => {
    const { portal } = world
    const username = `them${randomInt(10 ** 9)}`
    const phone = `09${String(randomInt(10 ** 8)).padStart(8, '0')}`
    const answer = await sendRequest(portal, {
      method: 'POST',
      path: '/api/auth/register',
      body: { ...extras(), username, phone, password: 'mat-khau-12' },
    })
    expect(answer.status).toBe(201)
    const me = await sendRequest(portal, {
      method: 'POST',
      path: '/api/auth/verify',
      body: { access_token: answer.body.access_token },
    })
    expect(me.body).toMatchObject({
      username,
      balance: 0,
      activated: false,
      first_gift: null,
      role_names: [],
      permission_names: [],
      email_verified: false,
      phone_verified: false,
    })
    expect(me.body.id).not.toBe('1')
  })
})
