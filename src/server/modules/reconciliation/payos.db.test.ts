import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startPollingApp, type PollingApp } from '#tests/support/polled-providers.ts'
import { aPlayer } from '#tests/support/players.ts'
import { queryDueCheckouts } from './order-queries.service.ts'
import { aNotification, anOrder, balanceOf, deliver, openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'

let asked: PollingApp
beforeAll(async () => {
  asked = await startPollingApp(['payos'])
  await openAccounts(asked.test)
})
afterAll(() => asked.close())
afterEach(() => expectReconciled(asked.test))

async function aBankOrder(channel = 2) {
  const player = await aPlayer(asked.test)
  const order = await anOrder(asked.test, player, { channel })
  const { id } = await asked.test.db
    .selectFrom('payment_order')
    .select('id')
    .where('code', '=', order.code)
    .executeTakeFirstOrThrow()
  return { player, order, orderCode: Number(id) }
}

async function askAbout(orderCode: number) {
  await asOwner(asked.test, `UPDATE payment_checkout SET next_query_at = now() WHERE order_id = $1`, [
    orderCode,
  ])
  await queryDueCheckouts(asked.test.deps)
}

const stateOf = async (orderCode: number) =>
  (
    await asked.test.db
      .selectFrom('payment_checkout')
      .select('state')
      .where('order_id', '=', String(orderCode))
      .executeTakeFirst()
  )?.state

describe('an order of a bank’s channel, with payOS', () => {
  it('is kept there too, and shows its QR when it leads to the account of the order', async () => {
    const { order, orderCode } = await aBankOrder()
    expect(asked.bank.payos.requests.get(orderCode)).toMatchObject({
      amount: 50_000,
      description: order.code,
    })
    expect(order).toMatchObject({
      qr: `payos-qr-${orderCode}`,
      memo: order.code,
      account_number: '0011000000001',
    })
    expect(order.pay_url).toBeUndefined()
  })

  it('keeps our own QR when payOS takes the money elsewhere', async () => {
    const { order, orderCode } = await aBankOrder(3)
    expect(order.qr).toMatch(/^000201/)
    expect(await stateOf(orderCode)).toBe('open')
  })

  it.each(['error', 'garbage', 'lost-after', 'wrong-signature'] as const)(
    'keeps our own QR when payOS fails it: %s',
    async (fault) => {
      asked.bank.failNext(fault)
      const { player, order, orderCode } = await aBankOrder()
      expect(order.qr).toMatch(/^000201/)
      expect(await stateOf(orderCode)).toBe('asked')
      await deliver(asked.test, aNotification({ content: order.code }))
      expect(await balanceOf(asked.test, player)).toBe(50_000)
    },
  )

  it('is credited when payOS tells of the transfer only when asked, once, whoever tells of it too', async () => {
    const { player, order, orderCode } = await aBankOrder()
    asked.bank.payos.pay(orderCode, { reference: 'FT-PAYOS-1' })
    await askAbout(orderCode)
    expect(await balanceOf(asked.test, player)).toBe(50_000)
    expect(await stateOf(orderCode)).toBe('done')
    await deliver(asked.test, aNotification({ content: order.code, referenceCode: 'FT-PAYOS-1' }))
    expect(await balanceOf(asked.test, player)).toBe(50_000)
  })

  it('is asked about until it is paid in full', async () => {
    const { player, orderCode } = await aBankOrder()
    asked.bank.payos.pay(orderCode, { reference: 'FT-PAYOS-2', amount: 20_000 })
    await askAbout(orderCode)
    expect(await balanceOf(asked.test, player)).toBe(20_000)
    expect(await stateOf(orderCode)).toBe('open')
  })

  it('is not credited by an answer that is not signed by payOS', async () => {
    const { player, orderCode } = await aBankOrder()
    asked.bank.payos.pay(orderCode, { reference: 'FT-PAYOS-3' })
    asked.bank.failNext('wrong-signature')
    await askAbout(orderCode)
    expect(await balanceOf(asked.test, player)).toBe(0)
    expect(asked.test.logged()).toContain('"event":"checkout.unanswered"')
  })
})
