import { afterEach, expect, test } from 'vitest'
import { aNotification, anOrder, deliver } from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { anEmail, giveVerifiedEmail } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'

const desk = useCashDesk()
afterEach(() => expectReconciled(desk.portal))
type Line = Record<string, unknown> & { event?: string }

/** What `grep` finds in the log: its lines with a text, in their order. */
const grep = (text: string): Line[] =>
  desk.portal
    .logged()
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as Line)

const rowOf = (bankRef: string) =>
  desk.portal.db
    .selectFrom('bank_transaction')
    .selectAll()
    .where('bank_ref', '=', bankRef)
    .executeTakeFirstOrThrow()

test('one order code finds a payment from its order to its credit, with the ids that join the lines', async () => {
  const player = await aPlayer(desk.portal)
  const email = anEmail()
  await giveVerifiedEmail(desk.portal, player.id, email)
  const { code } = await anOrder(desk.portal, player)
  const notification = aNotification({ content: `Tra tien ${code} goi 0912345678` })
  expect((await deliver(desk.portal, notification)).status).toBe(200)

  const lines = grep(code)
  expect(lines.map(({ event }) => event)).toEqual([
    'order.placed',
    'payment.received',
    'payment.credited',
    'payment.decided',
  ])
  const [placed, received, credited, decided] = lines
  const transfer = await rowOf(notification.referenceCode ?? '')
  const payment = {
    orderCode: code,
    provider: 'sepay',
    providerEventId: String(notification.id),
    bankRef: notification.referenceCode,
    amount: 50_000,
  }
  expect(placed).toMatchObject({ orderCode: code, userId: player.id, amount: 50_000, channel: 2 })
  expect(received).toMatchObject({ ...payment, signature: 'valid' })
  expect(credited).toMatchObject({
    ...payment,
    bankTransactionId: transfer.id,
    transferId: transfer.transfer_id,
    userId: player.id,
    coins: Number(transfer.credited),
  })
  expect(decided).toMatchObject({ ...payment, status: 'applied', bankTransactionId: transfer.id })
  expect(placed?.['requestId']).toEqual(expect.any(String))
  expect(received?.['requestId']).toEqual(expect.any(String))
  expect([credited?.['requestId'], decided?.['requestId']]).toEqual(Array(2).fill(received?.['requestId']))
  // Nothing that payers wrote, and nobody's address.
  const text = JSON.stringify(lines)
  expect(text).not.toContain('0912345678')
  expect(text).not.toContain('Tra tien')
  expect(text).not.toContain(email)
})

test('a payment that is credited by hand and reversed is found by its transfer', async () => {
  const player = await aPlayer(desk.portal)
  const { code } = await anOrder(desk.portal, player)
  const id = await desk.arrives()
  await desk.done(id, 'match', { order_code: code })
  const { transfer_id: transferId } = await desk.portal.db
    .selectFrom('bank_transaction')
    .select('transfer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await desk.done(id, 'reverse-credit', {}, { by: desk.owner })

  const [credited, reversed] = grep(code).filter(({ event }) => event?.startsWith('payment.'))
  expect(credited).toMatchObject({
    event: 'payment.credited',
    bankTransactionId: id,
    transferId,
    userId: player.id,
    actorOperatorId: desk.cashier.id,
    requestId: expect.any(String) as string,
  })
  expect(reversed).toMatchObject({
    event: 'payment.reversed',
    bankTransactionId: id,
    reversedTransferId: transferId,
    userId: player.id,
    lent: 0,
    byBank: false,
    actorOperatorId: desk.owner.id,
  })
})

test('a refused act leaves no line of a movement', async () => {
  const id = await desk.arrives()
  const before = grep('payment.credited').length
  expect((await desk.act(id, 'match', { order_code: 'TCXAAAAAAAAAA' })).status).toBe(422)
  expect(grep('payment.credited')).toHaveLength(before)
})

test('a repeated notification is received and credited once', async () => {
  const player = await aPlayer(desk.portal)
  const { code } = await anOrder(desk.portal, player)
  const notification = aNotification({ content: code })
  await deliver(desk.portal, notification)
  await deliver(desk.portal, notification)
  const events = grep(code).map(({ event }) => event)
  expect(events.filter((event) => event === 'payment.received')).toHaveLength(1)
  expect(events.filter((event) => event === 'payment.credited')).toHaveLength(1)
})
