import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { aTransfer, balanceOf, forgetLimited, openAccounts } from '#tests/support/bank.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useTestApp } from '#tests/support/app.ts'
import { startPollingApp, momoMoney } from '#tests/support/polled-providers.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { readSetting } from '#tests/support/settings.ts'

const LIMIT = 1_000_000
const reason = 'Kiểm tra hạn mức'

const portal = useTestApp()
const { owner, cashier, other } = useOperators(portal, {
  owner: 'owner',
  cashier: 'cashier',
  other: 'cashier',
})
beforeAll(async () => {
  await openAccounts(portal)
})
beforeEach(() => forgetLimited(portal))

const send = ({ token }: TestOperator, method: 'POST' | 'PUT', path: string, body: object) =>
  portal.call(method, `/api/operator${path}`, { token, body: { reason, ...body } })

const credit = async (by: TestOperator, player: TestPlayer, amount: number) => {
  const id = await aTransfer(portal, { transferAmount: amount })
  return (await send(by, 'POST', `/bank-transfers/${id}/credit`, { user_id: player.id })).status
}
const adjust = async (by: TestOperator, player: TestPlayer, amount: number) =>
  (await send(by, 'POST', `/users/${player.id}/adjustment`, { amount })).status

describe('security row 40: the limit of one person counts the sum of 24 hours', () => {
  test('of one operator, whoever gets it and by whatever act', async () => {
    expect(await credit(owner, await aPlayer(portal), 600_000)).toBe(200)
    expect(await adjust(owner, await aPlayer(portal), 400_000)).toBe(200)
    const third = await aPlayer(portal)
    expect([await credit(owner, third, 10_000), await adjust(owner, third, 1)]).toEqual([202, 202])
    expect(await balanceOf(portal, third)).toBe(0)
    expect(await credit(cashier, await aPlayer(portal), 10_000)).toBe(200)
    // What is older than a day counts no more.
    await forgetLimited(portal)
    expect(await credit(owner, await aPlayer(portal), LIMIT)).toBe(200)
  })

  test('of one player, whoever gives it', async () => {
    const player = await aPlayer(portal)
    expect(await credit(cashier, player, 700_000)).toBe(200)
    expect([await credit(other, player, 400_000), await credit(other, player, 300_000)]).toEqual([202, 200])
    expect(await balanceOf(portal, player)).toBe(LIMIT)
  })

  test('also what is taken away, and what is taken back', async () => {
    const player = await aPlayer(portal)
    const id = await aTransfer(portal, { transferAmount: 500_000 })
    expect((await send(cashier, 'POST', `/bank-transfers/${id}/credit`, { user_id: player.id })).status).toBe(
      200,
    )
    expect(await adjust(owner, player, -300_000)).toBe(200)
    expect((await send(owner, 'POST', `/bank-transfers/${id}/reverse-credit`, {})).status).toBe(202)
    expect(await balanceOf(portal, player)).toBe(200_000)
  })

  test('of acts at the same moment, of one operator and about one player', async () => {
    const [players, player] = [
      await Promise.all(Array.from({ length: 6 }, () => aPlayer(portal))),
      await aPlayer(portal),
    ]
    const ofOne = await Promise.all(players.map((one) => credit(owner, one, 300_000)))
    expect(ofOne.toSorted()).toEqual([200, 200, 200, 202, 202, 202])
    await forgetLimited(portal)
    const byMany = await Promise.all(
      [owner, cashier, other].flatMap((one) => [credit(one, player, 300_000), credit(one, player, 200_000)]),
    )
    expect(byMany.filter((status) => status === 202)).not.toEqual([])
    expect(await balanceOf(portal, player)).toBeLessThanOrEqual(LIMIT)
  })

  test('what two people agree to is not counted', async () => {
    const id = await aTransfer(portal, { transferAmount: LIMIT + 1 })
    const { id: user_id } = await aPlayer(portal)
    expect((await send(cashier, 'POST', `/bank-transfers/${id}/credit`, { user_id })).status).toBe(202)
    expect((await send(other, 'POST', `/bank-transfers/${id}/approve`, {})).status).toBe(200)
    expect(await credit(cashier, await aPlayer(portal), LIMIT)).toBe(200)
  })
})

test('security row 40: one owner alone, with a fresh proof and all they can make, gives no more than the limit in a day', async () => {
  const providers = await startPollingApp(['momo'])
  const { test: alone, bank } = providers
  try {
    await openAccounts(alone)
    const thief = await anOperator(alone, 'owner')
    const act = (method: 'POST' | 'PUT', path: string, body: object) =>
      alone.call(method, `/api/operator${path}`, { token: thief.token, body: { reason, ...body } })
    const puppet = await aPlayer(alone, { password: 'mat-khau-dai-12' })
    const settings = { updated_at: null }
    const waiting = [
      await act('POST', '/staff/invites', { role: 'owner' }),
      await act('POST', '/staff/invites', { role: 'cashier' }),
      await act('PUT', `/staff/${puppet.id}/roles`, { roles: ['owner'] }),
      await act('PUT', '/settings', { ...settings, values: { recharge_rate: '100' } }),
      await act('PUT', '/settings', { ...settings, values: { manual_credit_limit: '1000000000' } }),
      await act('POST', `/users/${puppet.id}/adjustment`, { amount: 9_000_000 }),
      await act('POST', '/planned-prices', {
        setting: 'recharge_rate',
        value: '100',
        ends_at: null,
        starts_at: new Date(Date.now() + 25 * 3_600_000).toISOString(),
      }),
    ]
    expect(waiting.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202, 202])
    const parts = []
    for (let part = 0; part < 5; part += 1) {
      const player = await aPlayer(alone)
      const id = await aTransfer(alone, { transferAmount: 900_000 })
      parts.push((await act('POST', `/bank-transfers/${id}/credit`, { user_id: player.id })).status)
      parts.push((await act('POST', `/users/${player.id}/adjustment`, { amount: 900_000 })).status)
      const paid = await momoMoney({ portal: alone, bank }, player, { amount: 900_000 })
      parts.push((await act('POST', `/bank-transfers/${paid}/refund-at-gateway`, {})).status)
    }
    const large = await momoMoney({ portal: alone, bank }, puppet, { amount: 2 * LIMIT })
    const refund = await act('POST', `/bank-transfers/${large}/refund-at-gateway`, {})
    waiting.push(refund)
    parts.push(refund.status)
    expect(parts.filter((status) => status === 200)).toHaveLength(1)
    expect(parts.filter((status) => status === 202)).toHaveLength(parts.length - 1)
    for (const { body } of waiting) {
      const { id } = body.proposal ?? body.proposals[0]
      expect((await act('POST', `/proposals/${id}/approve`, {})).status).toBe(409)
    }
    // Just before the day is over.
    await asOwner(
      alone,
      "UPDATE proposal SET takes_effect_at = takes_effect_at - interval '23 hours 50 minutes'",
    )
    expect(await takeEffect(alone.deps)).toBe(false)
    const { given } = await alone.db
      .selectFrom('ledger_transfer')
      .select(({ fn }) => fn.sum<string>('amount').as('given'))
      .where('kind', 'in', ['recharge', 'adjustment'])
      .executeTakeFirstOrThrow()
    const sentBack = [...bank.momo.refunds.values()].reduce((sum, { amount }) => sum + amount, 0)
    expect(Number(given) + sentBack).toBeLessThanOrEqual(LIMIT)
    expect((await readSetting(alone, thief.token, 'recharge_rate')).value).toBe('1')
  } finally {
    await providers.close()
  }
})
