import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { aNotification, anOrder, deliver, payment, balanceOf } from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { anHourAgo, sendClaim } from '#tests/support/uploads.ts'
import { setProof, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const desk = useCashDesk()

describe('suggestions beside a transfer', () => {
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
})

describe('a match of several at once', () => {
  afterEach(() => expectReconciled(desk.portal))
  type Missing = { id: string; order_code: string; player: TestPlayer }

  /** An unpaid order, and its money without the order's code. */
  async function missing(amount: number): Promise<Missing> {
    const player = await aPlayer(desk.portal)
    const { code } = await anOrder(desk.portal, player, { amount })
    const id = await desk.arrives({ transferAmount: amount, content: `${player.username} nap tien` })
    return { id, order_code: code, player }
  }

  const reason = 'Nội dung ghi tên người chơi'

  const match = (rows: Omit<Missing, 'player'>[], { by = desk.cashier, key = randomUUID() } = {}) =>
    desk.portal.call('POST', '/api/operator/bank-transfers/match', {
      token: by.token,
      key,
      body: { matches: rows.map(({ id, order_code }) => ({ id, order_code })), reason },
    })

  const auditOf = async (ids: string[]) =>
    (await trailRows(desk.portal, { subject: { type: 'bank_transaction' } })).filter(({ subject_id }) =>
      ids.includes(subject_id),
    )

  test('each transfer is matched, refused or waits for a second person by itself; a repeat moves nothing', async () => {
    const [small, large, taken] = [await missing(60_000), await missing(1_000_001), await missing(70_000)]
    const again = { id: await desk.arrives({ transferAmount: 70_000 }), order_code: taken.order_code }
    const rows = [small, large, taken, again, { id: '999999999', order_code: taken.order_code }]
    const key = randomUUID()
    const answer = await match(rows, { key })
    expect([answer.status, answer.body.results]).toEqual([
      200,
      [
        { id: small.id, status: 'done' },
        { id: large.id, status: 'waiting' },
        { id: taken.id, status: 'done' },
        { id: again.id, status: 'refused', code: 'VALIDATION', message: expect.any(String) },
        { id: '999999999', status: 'refused', code: 'NOT_FOUND', message: expect.any(String) },
      ],
    ])
    const by = { actor_id: desk.cashier.id, reason }
    const trail = [
      { ...by, action: 'bank-transfers.match', subject_id: small.id },
      { ...by, action: 'bank-transfers.propose', subject_id: large.id },
      { ...by, action: 'bank-transfers.match', subject_id: taken.id },
    ]
    expect(await auditOf(rows.map(({ id }) => id))).toMatchObject(trail)
    expect((await match(rows, { key })).body).toEqual(answer.body)
    expect(await auditOf(rows.map(({ id }) => id))).toMatchObject(trail)
    expect(await balanceOf(desk.portal, small.player)).toBe(60_000)
    expect(await balanceOf(desk.portal, large.player)).toBe(0)
    expect((await desk.transfer(large.id)).waiting).toMatchObject({
      act: 'match',
      order_code: large.order_code,
    })
  })

  test('the sum of the rows counts against the limit of one operator', async () => {
    const rows = [await missing(600_000), await missing(600_000)]
    const { results } = (await match(rows, { by: desk.second })).body
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['done', 'waiting'])
  })

  test('two operators at once credit each transfer once', async () => {
    const rows = [await missing(20_000), await missing(30_000)]
    const by = [desk.owner, desk.secondOwner] as const
    const answers = await Promise.all(by.map((one: TestOperator) => match(rows, { by: one })))
    const statuses = rows.map(({ id }) =>
      answers.map(({ body }) => body.results.find((one: { id: string }) => one.id === id).status).toSorted(),
    )
    expect(statuses).toEqual([
      ['done', 'refused'],
      ['done', 'refused'],
    ])
    expect(await Promise.all(rows.map(({ player }) => balanceOf(desk.portal, player)))).toEqual([
      20_000, 30_000,
    ])
  })

  test('51 are refused, and without a fresh proof any', async () => {
    const row = await missing(10_000)
    const many = Array.from({ length: 51 }, (_, at) => ({ ...row, id: String(900_000 + at) }))
    expect((await match(many)).status).toBe(422)
    await setProof(desk.portal, desk.cashier, { isFresh: false })
    expect((await match([row])).body.code).toBe('STEP_UP_REQUIRED')
    await setProof(desk.portal, desk.cashier, { isFresh: true })
    expect(await balanceOf(desk.portal, row.player)).toBe(0)
  })

  test('of each transfer the most likely unpaid order is suggested, of a decided one none', async () => {
    const [open, unknown] = [await missing(43_000), await desk.arrives({ transferAmount: 11_111 })]
    const suggested = (ids: string[]) =>
      desk.portal.call('GET', `/api/operator/bank-transfers/suggested-orders?ids=${ids.join(',')}`, {
        token: desk.cashier.token,
      })
    const { body } = await suggested([open.id, unknown, '999999999'])
    expect(body).toMatchObject([
      { transfer: { id: open.id, amount: 43_000 }, suggestion: { order: { code: open.order_code } } },
      { transfer: { id: unknown }, suggestion: null },
    ])
    await match([open])
    expect((await suggested([open.id])).body).toMatchObject([{ suggestion: null }])
    expect((await suggested(Array.from({ length: 51 }, (_, at) => String(at + 1)))).status).toBe(422)
  })
})
