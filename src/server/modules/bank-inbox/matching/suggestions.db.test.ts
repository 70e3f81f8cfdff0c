import { afterAll, beforeAll, expect, test } from 'vitest'
import { aNotification, anOrder, deliver, payment } from '#tests/support/bank.ts'
import { anHourAgo, sendClaim } from '#tests/support/uploads.ts'
import { aPlayer } from '#tests/support/players.ts'
import { openCashDesk, type CashDesk } from '../testing/cash-desk.ts'

let desk: CashDesk

beforeAll(async () => {
  desk = await openCashDesk()
})
afterAll(() => desk.portal.close())

/** An amount nothing else in these tests has, which a cashier credits alone. */
let lastAmount = 300_000
const anAmount = () => (lastAmount += 1_000)

const suggested = async (id: string) =>
  (await desk.transfer(id)).suggestions.map(({ user, order, reasons, strength }) => [
    user.username,
    order?.code ?? null,
    reasons.map(({ kind }) => kind).join(' '),
    strength,
  ])

/** What the bank of the payer writes around the payer's own words. */
const from = (account: string, words = 'chuyen tien') =>
  `MBVCB.3278907687.${words}.CT tu ${account} NGUYEN VAN AN toi 0011000000001 CONG TY NINJA`

test('a player with an order, a name in the text and a claim stands once, above one whose order has the amount alone', async () => {
  const amount = anAmount()
  const sender = await payment(desk.portal, amount)
  const other = await payment(desk.portal, amount)
  await sendClaim(desk.portal, sender.player, { fields: { amount: String(amount), paid_at: anHourAgo() } })
  const id = await desk.arrives({ content: `${sender.player.username} nap game`, transferAmount: amount })
  expect(await suggested(id)).toEqual([
    [sender.player.username, sender.order.code, 'username claim amount within-hour', 'strong'],
    [other.player.username, other.order.code, 'amount within-hour', 'fair'],
  ])
})

test('a claim that has the bank’s reference stands first', async () => {
  const amount = anAmount()
  const player = await aPlayer(desk.portal)
  await payment(desk.portal, amount)
  const fields = { amount: String(amount), bank_reference: ' ft 77aa ' }
  await sendClaim(desk.portal, player, { fields })
  const id = await desk.arrives({ transferAmount: amount, referenceCode: 'FT77AA' })
  expect((await suggested(id))[0]).toEqual([player.username, null, 'claim-reference claim', 'strong'])
})

test('whoever was credited with money from the same account before is suggested, with an order of theirs', async () => {
  const account = '0451000123456'
  const player = await aPlayer(desk.portal)
  const first = await desk.arrives({ content: from(account), transferAmount: anAmount() })
  expect(await suggested(first)).toEqual([])
  await desk.done(first, 'credit', { username: player.username })
  // Another account that contains it, and one to which money went.
  for (const content of [from(`9${account}`), `CT tu 0987654321012 LE B toi ${account}`]) {
    expect(await suggested(await desk.arrives({ content, transferAmount: anAmount() }))).toEqual([])
  }
  const content = from(account, 'cam on shop')
  const again = await desk.arrives({ content, transferAmount: anAmount() })
  expect(await suggested(again)).toEqual([[player.username, null, 'payer', 'weak']])
  const amount = anAmount()
  const { code } = await anOrder(desk.portal, player, { amount })
  const third = await desk.arrives({ content: from(account), transferAmount: amount })
  expect(await suggested(third)).toEqual([[player.username, code, 'payer amount within-hour', 'strong']])
})

test('a transfer shows what reports it, and apart from that what has its reference and reports another', async () => {
  const amount = anAmount()
  const named = await payment(desk.portal, amount + 500)
  const first = aNotification({ content: 'khoan thu nhat', transferAmount: amount })
  const id = await desk.arrives(first)
  const another = {
    ...first,
    id: first.id + 1,
    content: `${named.order.code} khoan thu hai`,
    transferAmount: amount + 500,
  }
  await deliver(desk.portal, another)
  const shown = async () => {
    const { events, conflicting_events, memo, suggestions } = await desk.transfer(id)
    return {
      events: events.map((event) => event.memo),
      others: conflicting_events.map((event) => event.memo),
      memo,
      suggestions: suggestions.map(({ user }) => user.username),
    }
  }
  const expected = {
    events: ['khoan thu nhat'],
    others: [another.content],
    memo: 'khoan thu nhat',
    suggestions: [],
  }
  expect(await shown()).toEqual(expected)
  // It stays another's when nothing is to be done about it.
  const [open] = (await desk.transfer(id)).conflicting_events
  const path = `/api/operator/payment-events/${open?.id}/dismiss`
  const body = { reason: 'Ngân hàng dùng lại mã' }
  expect((await desk.portal.call('POST', path, { token: desk.cashier.token, body })).status).toBe(200)
  expect(await shown()).toEqual(expected)
})
