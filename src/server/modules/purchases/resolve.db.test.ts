import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operatorsCall } from '#tests/support/operators.ts'
import { useTestApp } from '#tests/support/app.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { luongOf, aBuyer, dyingAt, makeDue, rowOf, workOnce } from '#tests/support/purchases.ts'
import { refundDelivery, retryDelivery } from './resolve.service.ts'
import { asOwner } from '#tests/support/databases.ts'
import type { DeliveriesDeps } from './worker.service.ts'

const portal = useTestApp()
let deps: DeliveriesDeps
beforeAll(async () => {
  deps = portal.deps
})
afterEach(() => expectReconciled(portal))

const buyer = (coins?: number) => aBuyer(portal, coins)

const REASON = 'Người chơi báo không nhận được lượng'

const refund = async (id: string) => (await refundDelivery(deps, operatorsCall(id, REASON))).state
const retry = async (id: string) => (await retryDelivery(deps, operatorsCall(id))).state

const resolutionsOf = (id: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'reason', 'details'])
    .where('subject_id', '=', id)
    .execute()

describe('an operator’s refund', () => {
  test('asks the game to refuse the delivery for good, gives the coins back, and is written down', async () => {
    const { player, character, id } = await buyer()
    expect(await refund(id)).toBe('refunded')
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
    expect(await workOnce(deps)).toBe(0)
    expect(await luongOf(portal.db, character)).toBe(0)
    expect(await resolutionsOf(id)).toEqual([
      {
        action: 'deliveries.refund',
        reason: REASON,
        details: { before: 'pending', after: 'refunded', amount: 10_000 },
      },
    ])
    expect(await refund(id)).toBe('refunded')
    expect(await resolutionsOf(id)).toHaveLength(1)
  })

  test('while a worker holds the lease and has not sent: refunded, and the game refuses what comes late', async () => {
    const { player, character, id } = await buyer()
    const paused = dyingAt(deps, 'claimed')
    const sending = workOnce({ ...paused.deps, deliveryLeaseSeconds: 30 })
    await paused.reached
    expect(await refund(id)).toBe('refunded')
    paused.wakeUp()
    await sending
    expect((await rowOf(portal, id)).state).toBe('refunded')
    expect(await luongOf(portal.db, character)).toBe(0)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
  })

  test('when the goods have arrived already: settled instead, and the coins stay spent', async () => {
    const { player, character, id } = await buyer()
    const paused = dyingAt(deps, 'called')
    const sending = workOnce({ ...paused.deps, deliveryLeaseSeconds: 30 })
    await paused.reached
    expect(await refund(id)).toBe('delivered')
    paused.wakeUp()
    await sending
    expect((await rowOf(portal, id)).state).toBe('delivered')
    expect(await luongOf(portal.db, character)).toBe(3_300)
    expect(await balanceOf(portal.db, player.walletId)).toBe(0)
  })

  test('raced by the worker and by a second operator ends in one state, goods or coins and never both', async () => {
    for (let round = 0; round < 15; round++) {
      const { player, character, id } = await buyer()
      const ends = await Promise.allSettled([workOnce(deps), refund(id), refund(id)])
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
      const { state } = await rowOf(portal, id)
      const isRefunded = state === 'refunded'
      expect(['refunded', 'delivered']).toContain(state)
      expect(await luongOf(portal.db, character)).toBe(isRefunded ? 0 : 3_300)
      expect(await balanceOf(portal.db, player.walletId)).toBe(isRefunded ? 10_000 : 0)
      expect((await resolutionsOf(id)).length).toBeLessThanOrEqual(1)
    }
  })

  test('of something that is no delivery is not found', async () => {
    for (const id of [randomUUID(), 'x', "'; --"]) {
      await expect(refund(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(retry(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('an operator’s retry', () => {
  test('sends a parked delivery again under its id, and only a parked one', async () => {
    const { character, id } = await buyer()
    await expect(retry(id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await asOwner(portal, `UPDATE delivery SET state = 'parked' WHERE id = $1`, [id])
    await makeDue(portal)
    expect(await workOnce(deps)).toBe(0)
    expect(await retry(id)).toBe('unknown')
    expect((await resolutionsOf(id)).map(({ action }) => action)).toEqual(['deliveries.retry'])
    await workOnce(deps)
    expect((await rowOf(portal, id)).state).toBe('delivered')
    expect(await luongOf(portal.db, character)).toBe(3_300)
  })
})
