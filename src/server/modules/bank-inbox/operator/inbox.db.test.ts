import { describe, expect, test } from 'vitest'
import { ACB, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aNotification, ageOrder, anOrder, deliver, payment } from '#tests/support/bank.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { aPlayer } from '#tests/support/players.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { eraseOldBodies } from '../intake/payment-events.service.ts'

const desk = useCashDesk()

describe('the list', () => {
  test('holds what is in review, the oldest first, with who reported it and what the payer wrote', async () => {
    const first = await desk.arrives({ content: 'chuyen tien lan 1' })
    const credited = await payment(desk.portal)
    await desk.arrives({ content: credited.order.code })
    const second = await desk.arrives({ accountNumber: ACB.number, transferAmount: 70_000 })
    const { ids, answer } = await desk.list()
    expect(ids.slice(-2)).toEqual([first, second])
    expect(answer.headers['content-range']).toBe(`bank-transfers 0-${ids.length - 1}/${ids.length}`)
    expect(answer.body.at(-2)).toMatchObject({
      account_number: VIETCOMBANK.number,
      channel: 2,
      direction: 'in',
      amount: 50_000,
      state: 'review',
      reason: 'no-code',
      reason_text: 'Không có mã đơn trong nội dung',
      memo: 'chuyen tien lan 1',
      providers: ['sepay'],
      order_code: null,
      user: null,
      credited: 0,
      waiting: null,
    })
    expect(answer.body.at(-1)).toMatchObject({ channel: 3, amount: 70_000 })
  })

  test('is narrowed by each filter, and by several at once', async () => {
    const amount = 123_456
    const there = await desk.arrives({ accountNumber: ACB.number, transferAmount: amount })
    const out = await desk.arrives({ transferType: 'out', transferAmount: amount })
    const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
    expect((await desk.list({ amount })).ids).toEqual([there])
    expect((await desk.list({ amount, state: 'all' })).ids).toEqual([there, out])
    expect((await desk.list({ amount, state: 'ignored', reason: 'outgoing' })).ids).toEqual([out])
    expect((await desk.list({ amount, state: 'all', direction: 'out' })).ids).toEqual([out])
    expect((await desk.list({ amount, channel: 3 })).ids).toEqual([there])
    expect((await desk.list({ amount, channel: 2 })).ids).toEqual([])
    expect((await desk.list({ amount, account: ACB.number, from: today, to: today })).ids).toEqual([there])
    expect((await desk.list({ amount, to: '2020-01-01' })).ids).toEqual([])
    expect((await desk.list({ id: out })).ids).toEqual([out])
    expect((await desk.list({ amount, state: 'all' }, { sort: '["id","DESC"]' })).ids).toEqual([out, there])
    expect((await desk.list({ amount, state: 'all' }, { range: '[1,1]' })).ids).toEqual([out])
  })

  test('finds an order’s code, a bank’s reference and a username exactly, whatever the state', async () => {
    const { player, order } = await payment(desk.portal)
    const id = await desk.arrives({ content: order.code, referenceCode: 'FT-tim-kiem' })
    for (const q of [order.code, order.code.toLowerCase(), 'FT-tim-kiem', player.username.toUpperCase()]) {
      expect((await desk.list({ q })).ids).toEqual([id])
    }
    for (const q of ['', 'khongcoai', order.code.slice(0, 8)])
      expect((await desk.list({ q })).ids).toEqual([])
  })

  test.each<object>([
    { state: 'mới' },
    { state: ['review', 'credited'] },
    { reason: "'" },
    { direction: 'up' },
    { channel: 9 },
    { amount: '5' },
    { from: 'hôm qua' },
    { to: '2026-02-31' },
    { waiting: 'yes' },
    { q: 'x'.repeat(101) },
    { q: '\u0000' },
    { account: 'a b' },
    { memo: 'x' },
  ])('refuses %o', async (filter) => {
    const { answer } = await desk.list(filter)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['filter']])
  })

  test('reaches 10,000 rows and no further', async () => {
    const { answer } = await desk.list({}, { range: '[9990,10000]' })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['range']])
    expect((await desk.list({}, { range: '[9975,9999]' })).answer.status).toBe(200)
  })
})

describe('one transfer', () => {
  test('is not there under a number nobody has', async () => {
    const answer = await desk.portal.call('GET', '/api/operator/bank-transfers/99999999', {
      token: desk.cashier.token,
    })
    expect(answer.status).toBe(404)
  })

  const suggestionsOf = async (id: string) =>
    (await desk.transfer(id)).suggestions.map(({ reasons, user, order }) => [
      reasons.map(({ kind }) => kind).join(' '),
      user.username,
      order?.code,
    ])

  test('comes with the order whose code is one character off', async () => {
    const { player, order } = await payment(desk.portal, 81_000)
    const last = order.code.at(-1) === 'A' ? 'B' : 'A'
    const id = await desk.arrives({ content: `nap ${order.code.slice(0, -1)}${last}` })
    expect(await suggestionsOf(id)).toEqual([['near-code within-hour', player.username, order.code]])
  })

  test('comes with both orders whose codes are in it, and the reason', async () => {
    const [one, other] = [await payment(desk.portal, 1_910_000), await payment(desk.portal, 1_920_000)]
    const memo = `${one.order.code} va ${other.order.code}`
    const id = await desk.arrives({ content: memo })
    const texts = (await desk.transfer(id)).suggestions.map(({ reasons }) => reasons[0]?.text)
    expect(texts.sort()).toEqual(
      [one, other].map(({ order }) => `Nội dung có mã ${order.code}: “${memo}”`).sort(),
    )
  })

  test('comes with the player whose name or phone is in it', async () => {
    const named = await aPlayer(desk.portal)
    const reached = await aPlayer(desk.portal, { phone: '0977123456' })
    const id = await desk.arrives({
      content: `NAP CHO ${named.username.toUpperCase()} SDT +84977123456`,
      transferAmount: 82_000,
    })
    expect(await suggestionsOf(id)).toEqual([
      ['phone', reached.username, undefined],
      ['username', named.username, undefined],
    ])
  })

  test('comes with the unpaid orders of its amount and account that were open within a day of it', async () => {
    const amount = 83_000
    const near = await payment(desk.portal, amount)
    const earlier = await payment(desk.portal, amount)
    await ageOrder(desk.portal, earlier.order.code, 24)
    const tooEarly = await payment(desk.portal, amount)
    await ageOrder(desk.portal, tooEarly.order.code, 25)
    const paid = await payment(desk.portal, amount)
    await desk.arrives({ content: paid.order.code, transferAmount: amount })
    const elsewhere = await aPlayer(desk.portal)
    await anOrder(desk.portal, elsewhere, { channel: 3, amount })
    await payment(desk.portal, amount + 1)
    const id = await desk.arrives({ transferAmount: amount })
    expect(await suggestionsOf(id)).toEqual([
      ['amount within-hour', near.player.username, near.order.code],
      ['amount', earlier.player.username, earlier.order.code],
    ])
  })

  test('comes with at most ten, and with none once it is decided', async () => {
    const amount = 84_000
    const names = await Promise.all(Array.from({ length: 6 }, () => aPlayer(desk.portal)))
    for (const player of names) await anOrder(desk.portal, player, { amount })
    await anOrder(desk.portal, await aPlayer(desk.portal), { amount })
    const id = await desk.arrives({
      content: names.map(({ username }) => username).join(' '),
      transferAmount: amount,
    })
    for (let made = 0; made < 4; made++) await anOrder(desk.portal, await aPlayer(desk.portal), { amount })
    const suggested = await suggestionsOf(id)
    expect(suggested.map(([why]) => why)).toEqual([
      ...Array<string>(6).fill('username amount within-hour'),
      ...Array<string>(4).fill('amount within-hour'),
    ])
    await desk.done(id, 'credit', { username: names[0]?.username })
    expect(await suggestionsOf(id)).toEqual([])
  })

  test('is never credited by what is suggested', async () => {
    const { order } = await payment(desk.portal, 85_000)
    const id = await desk.arrives({ transferAmount: 85_000 })
    expect(await suggestionsOf(id)).toHaveLength(1)
    expect((await desk.transfer(id)).state).toBe('review')
    const left = await desk.portal.db
      .selectFrom('payment_order')
      .select('credited')
      .where('code', '=', order.code)
      .executeTakeFirstOrThrow()
    expect(left.credited).toBe('0')
  })
})

describe('a player’s open claim', () => {
  test('of the amount stands beside the transfer', async () => {
    const player = await aPlayer(desk.portal)
    const claimId = await aClaim(desk.portal, player, { fields: { amount: '86000' } })
    const { suggestions } = await desk.transfer(await desk.arrives({ transferAmount: 86_000 }))
    expect(suggestions).toMatchObject([
      {
        reasons: [{ kind: 'claim' }],
        strength: 'weak',
        user: { username: player.username },
        order: null,
        claim_id: claimId,
      },
    ])
  })
})

describe('a notification without a transfer', () => {
  const call = (path: string, body?: object) =>
    desk.portal.call(body ? 'POST' : 'GET', `/api/operator/payment-events${path}`, {
      token: desk.cashier.token,
      ...(body ? { body } : {}),
    })
  const reason = { reason: 'Đã xem sao kê' }
  const anHourAgo = () => ({ signedAt: new Date(Date.now() - 3_600_000) })
  const openIds = async (filter = {}) => {
    const { body } = await call(`?filter=${encodeURIComponent(JSON.stringify({ waiting: true, ...filter }))}`)
    return (body as { id: string }[]).map(({ id }) => id)
  }
  const newest = async () => (await openIds())[0] as string

  test('because it was signed too long ago is listed, and credits nothing by itself', async () => {
    const { order } = await payment(desk.portal)
    const stale = aNotification({ content: order.code })
    expect((await deliver(desk.portal, stale, anHourAgo())).status).toBe(401)
    const { body, headers } = await call('?filter={"status":"stale"}')
    const [listed] = body
    expect(listed).toMatchObject({
      provider: 'sepay',
      signature: 'stale',
      status: 'stale',
      amount: 50_000,
      memo: order.code,
      bank_transfer_id: null,
    })
    expect(headers['content-range']).toMatch(/^payment-events /)
    const one = await call(`/${listed.id}`)
    expect(one.body).toMatchObject({
      ...listed,
      is_open: true,
      raw: JSON.stringify(stale),
      payer_account: null,
    })
    expect(one.body.suggestions).toMatchObject([{ order: { code: order.code } }])
    await call(`/${listed.id}/dismiss`, reason)
    expect((await call(`/${listed.id}`)).body).toMatchObject({
      is_open: false,
      status: 'ignored',
      reason: 'dismissed-notice',
    })
    expect((await call('/999999999')).status).toBe(404)
  })

  test('comes into review when it is taken for true, and can then be matched', async () => {
    const { player, order } = await payment(desk.portal)
    const notification = aNotification({ content: order.code })
    await deliver(desk.portal, notification, anHourAgo())
    const event = await newest()
    const accepted = await call(`/${event}/accept`, reason)
    expect(accepted.body).toMatchObject({ state: 'review', reason: 'accepted-notice', credited: 0 })
    expect(await openIds()).not.toContain(event)
    const { id } = accepted.body as { id: string }
    expect((await call(`/${event}/accept`, reason)).status).toBe(409)
    await desk.done(id, 'match', { order_code: order.code })
    expect((await desk.transfer(id)).acts.map(({ act }) => act)).toEqual(['accept', 'match'])
    // The same, signed again, is not credited a second time.
    await deliver(desk.portal, notification)
    const { body } = await desk.portal.call('GET', '/api/user/transactions', { token: player.token })
    expect(body.data).toHaveLength(1)
  })

  test('is not listed any more once the same came in time, and is not taken for true then', async () => {
    const notification = aNotification({ referenceCode: null })
    await deliver(desk.portal, notification, anHourAgo())
    const event = await newest()
    await desk.arrives(notification)
    expect(await openIds()).not.toContain(event)
    expect((await call(`/${event}/accept`, reason)).status).toBe(409)
  })

  test('of a transfer that is known already gets no second row', async () => {
    const notification = aNotification({ content: 'x' })
    await deliver(desk.portal, notification, anHourAgo())
    const event = await newest()
    const known = await desk.arrives({ ...notification, id: notification.id + 1 })
    const accepted = await call(`/${event}/accept`, reason)
    expect(accepted.body).toMatchObject({ id: known, reason: 'no-code' })
  })

  test('because it contradicts another is listed, and becomes a transfer of its own when it is true', async () => {
    const first = aNotification({ referenceCode: 'FT-trung' })
    const known = await desk.arrives(first)
    await deliver(desk.portal, { ...first, id: first.id + 1, transferAmount: 77_000 })
    const event = await newest()
    const accepted = await call(`/${event}/accept`, reason)
    expect(accepted.body.id).not.toBe(known)
    expect(await desk.transfer(accepted.body.id as string)).toMatchObject({
      amount: 77_000,
      bank_ref: 'FT-trung',
    })
  })

  test('becomes a transfer of its own also when the bank used its reference before for the same amount', async () => {
    const [paid, other] = [await payment(desk.portal), await payment(desk.portal)]
    const first = aNotification({ content: paid.order.code })
    const known = await desk.arrives(first)
    const memo = `${paid.order.code} chuyen lai`
    await deliver(desk.portal, { ...first, id: first.id + 1, content: memo, transferAmount: 50_001 })
    const { body } = await call(`/${await newest()}/accept`, reason)
    expect(body).toMatchObject({ state: 'review', credited: 0 })
    expect(body.id).not.toBe(known)
    await desk.done(body.id as string, 'match', { order_code: other.order.code })
  })

  test('is put aside for good, with its row in the trail', async () => {
    await deliver(desk.portal, aNotification(), anHourAgo())
    const event = await newest()
    expect((await call(`/${event}/dismiss`, reason)).body).toEqual({ id: event, status: 'ignored' })
    expect(await openIds()).not.toContain(event)
    expect((await call(`/${event}/dismiss`, reason)).status).toBe(409)
    expect((await call('/99999999/dismiss', reason)).status).toBe(404)
    const row = await lastTrailRow(desk.portal, { subject: { type: 'payment_event', id: event } })
    expect(row).toMatchObject({ action: 'payment-events.dismiss', ...reason, actor_id: desk.cashier.id })
  })

  test('is not filtered by anything else', async () => {
    expect((await call('?filter={"status":"lost"}')).status).toBe(422)
  })
})

/** A transfer whose notification came `age` ago and stands as `status`. */
async function arrived(status: string, age: string): Promise<string> {
  const id = await desk.arrives({ content: 'NGUYEN VAN A' })
  await asOwner(
    desk.portal,
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payment_event SET status = '${status}', received_at = now() - interval '${age}'
      WHERE bank_transaction_id = ${id}; COMMIT`,
  )
  return id
}

test('what the payer wrote is erased 24 months after its notification was handled', async () => {
  const stored = [await arrived('review', '25 months'), await arrived('applied', '23 months')]
  const erased = [await arrived('applied', '25 months'), await arrived('ignored', '25 months')]
  expect(await eraseOldBodies(desk.portal.deps)).toBe(true)
  for (const id of stored) expect(await desk.transfer(id)).toMatchObject({ memo: 'NGUYEN VAN A' })
  for (const id of erased) {
    expect(await desk.transfer(id)).toMatchObject({ memo: null, events: [{ memo: null, full_text: null }] })
  }
})
