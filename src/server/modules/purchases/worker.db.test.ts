import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import {
  aBuyer,
  dyingAt,
  rowOf,
  workOnce,
  buyLuongFor,
  eventually,
  luongOf,
} from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { quickest } from '#tests/support/timing.ts'
import { startDeliveryWorker } from './index.ts'
import { claimDueDeliveries } from './worker.queries.ts'
import { claimDue, expireLeases, sendClaimed, type DeliveriesDeps } from './worker.service.ts'
import { allDue } from '#tests/support/due-part.ts'

const portal = useTestApp()

afterEach(() => expectReconciled(portal))

const expiry = () =>
  eventually(async () => {
    expect(await expireLeases(portal.deps)).toBe(true)
  })

describe('a worker killed', () => {
  test('between claiming and sending leaves a lease that runs out; another one delivers once', async () => {
    const { character, id } = await aBuyer(portal)
    const dying = dyingAt(portal.deps, 'claimed')
    void workOnce(dying.deps)
    await dying.reached
    expect((await rowOf(portal, id)).state).toBe('sending')
    expect(await workOnce(portal.deps)).toBe(0)
    await expiry()
    expect(await rowOf(portal, id)).toMatchObject({ state: 'unknown', lease_token: null })
    expect(await workOnce(portal.deps)).toBe(1)
    expect(await rowOf(portal, id)).toMatchObject({ state: 'delivered', attempt: 2 })
    expect(await luongOf(portal.db, character)).toBe(3_300)
  })

  test('between sending and writing leaves goods that are found by a query, not sent again, and told once', async () => {
    const { character, id, player } = await aBuyer(portal)
    const dying = dyingAt(portal.deps, 'called')
    const killed = workOnce(dying.deps)
    await dying.reached
    expect(await luongOf(portal.db, character)).toBe(3_300)
    await expiry()
    await workOnce(portal.deps)
    expect((await rowOf(portal, id)).state).toBe('delivered')
    expect(await luongOf(portal.db, character)).toBe(3_300)
    dying.wakeUp()
    await killed
    expect((await noticesOf(portal, player)).map(({ title }) => title)).toEqual(['Món đã vào nhân vật'])
  })

  test('and waking up after another took over writes nothing', async () => {
    const { character, id } = await aBuyer(portal)
    const dying = dyingAt(portal.deps, 'called')
    const sleeper = workOnce(dying.deps)
    await dying.reached
    await expiry()
    // The lease is another's now, and its outcome is not written yet.
    const second = dyingAt(portal.deps, 'called')
    const successor = workOnce({ ...second.deps, deliveryLeaseSeconds: 30 })
    await second.reached
    dying.wakeUp()
    expect(await Promise.allSettled([sleeper])).toMatchObject([{ status: 'fulfilled' }])
    expect((await rowOf(portal, id)).state).toBe('sending')
    second.wakeUp()
    await successor
    expect((await rowOf(portal, id)).state).toBe('delivered')
    expect(await luongOf(portal.db, character)).toBe(3_300)
  })
})

describe('the queue', () => {
  test('two workers that look at once never take the same delivery, nor wait for each other', async () => {
    const { id } = await aBuyer(portal)
    const claims = await inTransaction(portal.db, async (tx) => ({
      first: await claimDueDeliveries(tx, allDue(8), 30),
      second: await claimDue(portal.deps, 8),
    }))
    expect(claims.first.claimed.map((claimed) => claimed.id)).toEqual([id])
    expect(claims.second).toEqual([])
    for (const claimed of claims.first.claimed) await sendClaimed(portal.deps, claimed)
    expect(await rowOf(portal, id)).toMatchObject({ state: 'delivered', attempt: 1 })
  })

  test('a purchase wakes the worker, without waiting for its next look', async () => {
    const loops = startDeliveryWorker(portal.deps)
    const first = await aBuyer(portal, 70_000)
    const settled = (id: string) =>
      eventually(async () => expect((await rowOf(portal, id)).state).toBe('delivered'))
    await settled(first.id)
    // Each is bought just after the worker has looked in vain, so without a hint each would wait a second.
    const purchase = async () => settled(await buyLuongFor(portal, first))
    expect(await quickest(purchase, { runs: 6 })).toBeLessThan(700)
    await Promise.all(loops.map((loop) => loop.stop()))
  })

  test('a worker that has to stop first finishes what it has begun', async () => {
    let release = () => {}
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const slow: DeliveriesDeps = {
      ...portal.deps,
      async pausePoint(point) {
        if (point !== 'called') return
        resolve()
        await new Promise<void>((go) => (release = go))
      },
    }
    const loops = startDeliveryWorker(slow)
    const { id } = await aBuyer(portal)
    await reached
    let isStopped = false
    const stopping = Promise.all(loops.map((loop) => loop.stop())).then(() => (isStopped = true))
    const late = await aBuyer(portal)
    expect(isStopped).toBe(false)
    release()
    await stopping
    expect((await rowOf(portal, id)).state).toBe('delivered')
    expect((await rowOf(portal, late.id)).state).toBe('pending')
    await workOnce(portal.deps)
  })

  test('the alarm is raised while a purchase waits longer than five minutes', async () => {
    const { id } = await aBuyer(portal)
    await asOwner(portal, `UPDATE delivery SET created_at = now() - interval '6 minutes' WHERE id = $1`, [id])
    const loops = startDeliveryWorker({
      ...portal.deps,
      pausePoint: () => new Promise(() => {}),
      deliveryLeaseSeconds: 0.2,
    })
    await eventually(async () => expect(portal.logged()).toContain('delivery.late'))
    expect(portal.logged()).not.toContain('delivery.parked')
    // Its calls hang for good, so it is not waited for.
    void Promise.all(loops.map((loop) => loop.stop()))
    await expiry()
    await workOnce(portal.deps)
    expect((await rowOf(portal, id)).state).toBe('delivered')
  })

  test('the alarm is raised while a purchase waits for an operator', async () => {
    const { id } = await aBuyer(portal)
    await asOwner(portal, `UPDATE delivery SET state = 'parked' WHERE id = $1`, [id])
    const loops = startDeliveryWorker(portal.deps)
    await eventually(async () => expect(portal.logged()).toContain('"event":"delivery.parked","parked":1'))
    await Promise.all(loops.map((loop) => loop.stop()))
  })
})
