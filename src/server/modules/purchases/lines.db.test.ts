import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aBuyer, rowOf, workOnce, type Buyer, buyLuongFor, eventually } from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { operatorsCall } from '#tests/support/operators.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { settleHold } from './deliveries.service.ts'
import { startDeliveryWorker } from './index.ts'
import { refundDelivery } from './operator.service.ts'
import { claimDueDeliveries, updateClaimed, wakeForgotten, wakeNext } from './worker.queries.ts'
import { claimDue, sendClaimed } from './worker.service.ts'
import { allDue } from '#tests/support/due-part.ts'

/* Purchases that stand behind others of the same character. */
const portal = useTestApp()

afterEach(() => expectReconciled(portal))

/** One player's purchases for one character, the earliest first. */
async function aLine(length: number): Promise<Buyer & { ids: string[] }> {
  const first = await aBuyer(portal, length * 10_000)
  const ids = [first.id]
  while (ids.length < length) ids.push(await buyLuongFor(portal, first))
  return { ...first, ids }
}

const behind = async (id: string) =>
  (
    await portal.db
      .selectFrom('delivery')
      .select('waits_behind')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).waits_behind

const statesOf = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await rowOf(portal, id)).state))

async function workAll(): Promise<void> {
  while ((await workOnce(portal.deps)) > 0);
}

test('each is set aside behind the one before it, and woken by its end', async () => {
  const { ids } = await aLine(3)
  const [first, second, third] = ids as [string, string, string]
  const [claimed] = await claimDue(portal.deps, 8)
  expect(claimed?.id).toBe(first)
  expect(await Promise.all(ids.map(behind))).toEqual([null, first, second])
  await sendClaimed(portal.deps, claimed!)
  expect(await Promise.all(ids.map(behind))).toEqual([null, null, second])
  await workAll()
  expect(await statesOf([first, second, third])).toEqual(['delivered', 'delivered', 'delivered'])
  expect(await Promise.all(ids.map(behind))).toEqual([null, null, null])
})

test('one that was parked lets the next go', async () => {
  const { ids } = await aLine(2)
  const [claimed] = await claimDue(portal.deps, 8)
  await inTransaction(portal.db, async (tx) => {
    await updateClaimed(tx, claimed!, { state: 'parked', note: 'conflict' })
    await wakeNext(tx, claimed!.id)
  })
  await workAll()
  expect(await statesOf(ids)).toEqual(['parked', 'delivered'])
  await refundDelivery(portal.deps, operatorsCall(ids[0]!))
})

test('an operator’s refund lets the next go, wherever it stands in the line', async () => {
  const { ids } = await aLine(4)
  const [claimed] = await claimDue(portal.deps, 8)
  await refundDelivery(portal.deps, operatorsCall(ids[1]!))
  expect(await Promise.all(ids.map(behind))).toEqual([null, null, null, ids[2]])
  expect(await claimDue(portal.deps, 8)).toEqual([])
  expect(await behind(ids[2]!)).toBe(ids[0])
  await sendClaimed(portal.deps, claimed!)
  await refundDelivery(portal.deps, operatorsCall(ids[2]!))
  await workAll()
  expect(await statesOf(ids)).toEqual(['delivered', 'refunded', 'refunded', 'delivered'])
})

describe('a purchase and the end of the one before it, at the same moment', () => {
  test('a claim sets nothing aside behind what is just ending', async () => {
    const { ids } = await aLine(2)
    const { claimed } = await claimDueDeliveries(portal.db, allDue(1), 30)
    await portal.db.updateTable('delivery').set({ waits_behind: null }).where('id', '=', ids[1]!).execute()
    await inTransaction(portal.db, async (tx) => {
      const held = await updateClaimed(tx, claimed[0]!, { state: 'delivered' })
      await wakeNext(tx, ids[0]!)
      await settleHold(portal.deps, tx, held!)
      expect(await claimDueDeliveries(portal.db, allDue(8), 30)).toEqual({
        claimed: [],
        setAside: 0,
      })
    })
    await workAll()
    expect(await statesOf(ids)).toEqual(['delivered', 'delivered'])
  })

  test('an end waits for a claim that is just setting aside, and wakes what it set aside', async () => {
    const { ids } = await aLine(2)
    const { claimed } = await claimDueDeliveries(portal.db, allDue(1), 30)
    await portal.db.updateTable('delivery').set({ waits_behind: null }).where('id', '=', ids[1]!).execute()
    const { promise: settingAside, resolve: isSettingAside } = Promise.withResolvers<void>()
    const { promise: end, resolve: endClaim } = Promise.withResolvers<void>()
    const claim = inTransaction(portal.db, async (tx) => {
      expect((await claimDueDeliveries(tx, allDue(8), 30)).setAside).toBe(1)
      isSettingAside()
      await end
    })
    await settingAside
    let isSent = false
    const sending = sendClaimed(portal.deps, claimed[0]!).then(() => (isSent = true))
    await sleep(200)
    expect(isSent).toBe(false)
    endClaim()
    await Promise.all([claim, sending])
    expect(await behind(ids[1]!)).toBe(null)
    await workAll()
    expect(await statesOf(ids)).toEqual(['delivered', 'delivered'])
  })
})

test('what was never woken is found by the worker itself', async () => {
  const { ids } = await aLine(2)
  await workOnce(portal.deps)
  await asOwner(portal, 'UPDATE delivery SET waits_behind = $1 WHERE id = $2', [ids[0], ids[1]])
  expect(await claimDue(portal.deps, 8)).toEqual([])
  const loops = startDeliveryWorker(portal.deps)
  await eventually(async () => expect((await rowOf(portal, ids[1]!)).state).toBe('delivered'))
  expect(portal.logged()).toContain('deliveries waited behind others that had come to their end')
  await Promise.all(loops.map((loop) => loop.stop()))
})

test('what waits rightly is not woken before its turn', async () => {
  const { ids } = await aLine(2)
  const claimed = await claimDue(portal.deps, 8)
  expect(await wakeForgotten(portal.deps)).toBe(false)
  expect(await behind(ids[1]!)).toBe(ids[0])
  await sendClaimed(portal.deps, claimed[0]!)
  await workAll()
})

test('two workers bring many lines in the order they were bought', async () => {
  const lines = []
  for (let index = 0; index < 4; index++) lines.push(await aLine(8))
  const loops = [...startDeliveryWorker(portal.deps), ...startDeliveryWorker(portal.deps)]
  const all = lines.flatMap(({ ids }) => ids)
  await eventually(async () => expect(new Set(await statesOf(all))).toEqual(new Set(['delivered'])))
  await Promise.all(loops.map((loop) => loop.stop()))
  for (const { ids } of lines) {
    const applied = await portal.db
      .selectFrom('game.deliveries')
      .select('id')
      .where('id', 'in', ids)
      .orderBy('at')
      .execute()
    expect(applied.map(({ id }) => id)).toEqual(ids)
    for (const id of ids) expect((await rowOf(portal, id)).attempt).toBe(1)
  }
})
