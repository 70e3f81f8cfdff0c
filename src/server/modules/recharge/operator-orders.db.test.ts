import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { ageOrder, aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'

let portal: TestApp
let support: TestOperator
let player: TestPlayer
let codes: { paid: string; acb: string; pending: string }

beforeAll(async () => {
  portal = await startTestApp()
  await openAccounts(portal)
  support = await anOperator(portal, 'support')
  player = await aPlayer(portal)
  const paid = (await anOrder(portal, player)).code
  await deliver(portal, aNotification({ content: paid }))
  const acb = (await anOrder(portal, player, { channel: 3, amount: 70_000 })).code
  codes = { paid, acb, pending: (await anOrder(portal, await aPlayer(portal))).code }
})
afterAll(() => portal.close())

const call = (path: string) =>
  portal.call('GET', `/api/operator/recharge-orders${path}`, { token: support.token })
const found = async (filter: object, query = '') => {
  const { body } = await call(`?filter=${encodeURIComponent(JSON.stringify(filter))}${query}`)
  return (body as { code: string }[]).map(({ code }) => code)
}

test('operators see all orders, in the order they were made, with whose they are', async () => {
  const { body, headers } = await call('')
  expect(headers['content-range']).toBe('recharge-orders 0-2/3')
  expect(body).toMatchObject([
    {
      id: codes.paid,
      code: codes.paid,
      user: { id: player.id, username: player.username },
      channel: 2,
      amount: 50_000,
      rate: 1,
      credited: 50_000,
      status: 'paid',
    },
    { code: codes.acb, paid_at: null },
    { code: codes.pending, status: 'pending' },
  ])
})

test('narrowed by status, channel, user, code and amount', async () => {
  expect(await found({ status: 'paid' })).toEqual([codes.paid])
  expect(await found({ channel: 3 })).toEqual([codes.acb])
  expect(await found({ user: player.username.toUpperCase() })).toEqual([codes.paid, codes.acb])
  expect(await found({ user: 'khongcoai' })).toEqual([])
  expect(await found({ code: codes.acb.toLowerCase() })).toEqual([codes.acb])
  expect(await found({ amount: 50_000, status: 'pending' })).toEqual([codes.pending])
  expect(await found({}, '&sort=["id","DESC"]&range=[0,0]')).toEqual([codes.pending])
})

test.each([{ status: 'x' }, { channel: 'acb' }, { user: 5 }, { code: 5 }, { amount: -1 }, { memo: 'x' }])(
  'not by %o',
  async (filter) => {
    const answer = await call(`?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['filter']])
  },
)

test('one by its code, or 404', async () => {
  expect((await call(`/${codes.pending}`)).body).toMatchObject({ code: codes.pending })
  expect((await call('/TCX7K2QF9XAMM')).status).toBe(404)
})

test('an order whose time has run out is listed as expired before the clean-up has come to it', async () => {
  await ageOrder(portal, codes.pending, 1)
  expect((await call(`/${codes.pending}`)).body.status).toBe('expired')
})
