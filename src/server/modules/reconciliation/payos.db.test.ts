import { afterEach, describe, expect, it } from 'vitest'
import { usePollingApp } from '#tests/support/fixtures.ts'
import { aPlayer } from '#tests/support/players.ts'
import { queryDueCheckouts } from './order-queries.service.ts'
import { aNotification, anOrder, balanceOf, deliver } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'

const polling = usePollingApp('payos')
afterEach(() => expectReconciled(polling.test))

async function aBankOrder(channel = 2) {
  const player = await aPlayer(polling.test)
  const order = await anOrder(polling.test, player, { channel })
  const { id } = await polling.test.db
    .selectFrom('payment_order')
    .select('id')
    .where('code', '=', order.code)
    .executeTakeFirstOrThrow()
  return { player, order, orderCode: Number(id) }
}

async function askAbout(orderCode: number) {
  await asOwner(polling.test, `UPDATE payment_checkout SET next_query_at = now() WHERE order_id = $1`, [
    orderCode,
  ])
  await queryDueCheckouts(polling.test.deps)
}

const stateOf = async (orderCode: number) =>
  (
    await polling.test.db
      .selectFrom('payment_checkout')
      .select('state')
      .where('order_id', '=', String(orderCode))
      .executeTakeFirst()
  )?.state

describe('an order of a bank’s channel, with payOS', () => {
  it('is made there too, and shows its QR when it leads to the account of the order', async () => {
    const { order, orderCode } = await aBankOrder()
    expect(polling.bank.payos.requests.get(orderCode)).toMatchObject({
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

  it('shows our own QR when payOS takes the money elsewhere', async () => {
    const { order, orderCode } = await aBankOrder(3)
    expect(order.qr).toMatch(/^000201/)
    expect(await stateOf(orderCode)).toBe('open')
  })

  it.each(['error', 'garbage', 'lost-after', 'wrong-signature'] as const)(
    'shows our own QR when payOS fails it: %s',
    async (fault) => {
      polling.bank.failNext(fault)
      const { player, order, orderCode } = await aBankOrder()
      expect(order.qr).toMatch(/^000201/)
      expect(await stateOf(orderCode)).toBe('asked')
      await deliver(polling.test, aNotification({ content: order.code }))
      expect(await balanceOf(polling.test, player)).toBe(50_000)
    },
  )

  it('is credited once when payOS reports the transfer only when queried, whoever else reports it', async () => {
    const { player, order, orderCode } = await aBankOrder()
    polling.bank.payos.pay(orderCode, { reference: 'FT-PAYOS-1' })
    await askAbout(orderCode)
    expect(await balanceOf(polling.test, player)).toBe(50_000)
    expect(await stateOf(orderCode)).toBe('done')
    await deliver(polling.test, aNotification({ content: order.code, referenceCode: 'FT-PAYOS-1' }))
    expect(await balanceOf(polling.test, player)).toBe(50_000)
  })

  it('is queried until it is paid in full', async () => {
    const { player, orderCode } = await aBankOrder()
    polling.bank.payos.pay(orderCode, { reference: 'FT-PAYOS-2', amount: 20_000 })
    await askAbout(orderCode)
    expect(await balanceOf(polling.test, player)).toBe(20_000)
    expect(await stateOf(orderCode)).toBe('open')
  })

  it('is not credited by an answer that is not signed by payOS', async () => {
    const { player, orderCode } = await aBankOrder()
    polling.bank.payos.pay(orderCode, { reference: 'FT-PAYOS-3' })
    polling.bank.failNext('wrong-signature')
    await askAbout(orderCode)
    expect(await balanceOf(polling.test, player)).toBe(0)
    expect(polling.test.logged()).toContain('"event":"checkout.unanswered"')
  })
})
