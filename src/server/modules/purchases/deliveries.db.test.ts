import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findTrader, lockTrader } from '#server/modules/traders/index.ts'
import { HOUSE } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import {
  buyLuongFor,
  charactersOf,
  eventually,
  luongOf,
  aBuyer,
  rowOf,
  workOnce,
} from '#tests/support/purchases.ts'
import { holdForDelivery } from './deliveries.service.ts'
import { asOwner } from '#tests/support/databases.ts'
import type { DeliveriesDeps } from './worker.service.ts'

const portal = useTestApp()
let deps: DeliveriesDeps
beforeAll(async () => {
  deps = portal.deps
})
afterEach(() => expectReconciled(portal))

const buyer = (coins?: number) => aBuyer(portal, coins)

describe('a delivery', () => {
  test('that the game applies is settled: coins from the hold to the revenue, luong to the character', async () => {
    const { character, id } = await buyer()
    const [held, revenue] = [
      await balanceOf(portal.db, HOUSE.deliveryHold),
      await balanceOf(portal.db, HOUSE.revenue),
    ]
    expect(await workOnce(deps)).toBe(1)
    expect(await rowOf(portal, id)).toMatchObject({ state: 'delivered', attempt: 1, lease_token: null })
    expect(await luongOf(portal.db, character)).toBe(3_300)
    expect(await balanceOf(portal.db, HOUSE.deliveryHold)).toBe(held - 10_000)
    expect(await balanceOf(portal.db, HOUSE.revenue)).toBe(revenue + 10_000)
  })

  test('that the game refuses is refunded, and the player is told by a hint', async () => {
    const { player, character, id } = await buyer()
    await asOwner(portal, 'UPDATE game.characters SET account = $1 WHERE id = $2', ['nguoikhac', character])
    const hints: string[] = []
    const stop = portal.deps.listener.on('delivery_changed', (userId) => hints.push(userId))
    // Listening begins a moment after it was asked for.
    await eventually(async () => {
      await sql`SELECT pg_notify('delivery_changed', 'test')`.execute(portal.db)
      expect(hints).toContain('test')
    })
    await workOnce(deps)
    expect(await rowOf(portal, id)).toMatchObject({ state: 'refunded', last_error: 'no-such-character' })
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
    await eventually(async () => expect(hints).toContain(player.id))
    stop()
    const { body } = await portal.call('GET', '/api/user/deliveries', { token: player.token })
    expect((body as { data: { status: string }[] }).data.map(({ status }) => status)).toEqual(['refunded'])
  })

  test('that is over stays as it is', async () => {
    const { id } = await buyer()
    await workOnce(deps)
    const change = portal.db
      .updateTable('delivery')
      .set({ state: 'pending', settled_at: null })
      .where('id', '=', id)
    await expect(change.execute()).rejects.toThrow('already delivered')
  })

  test('of a gift that is refunded frees the account to take another', async () => {
    const player = await aPlayer(portal, { coins: 9_999, isActivated: true })
    const trader = (await findTrader(portal.db, player.id))!
    const take = (characterId: string) =>
      inTransaction(portal.db, async (tx) => {
        const { deliveryId } = await holdForDelivery(tx, {
          kind: 'gift',
          trader: await lockTrader(tx, trader.id),
          amount: 9_999,
          character: { id: characterId, name: 'aido', serverId: '1' },
          goods: [{ kind: 'luong', quantity: 2_999 }],
          record: (db, delivery_id) =>
            db.insertInto('first_gift').values({ delivery_id, user_id: player.id, package_id: 9_999 }),
          requestId: randomUUID(),
        })
        return deliveryId
      })
    const refused = await take('999999999')
    await workOnce(deps)
    expect((await rowOf(portal, refused)).state).toBe('refunded')
    expect(await balanceOf(portal.db, player.walletId)).toBe(9_999)
    const taken = await take((await charactersOf(portal, player))[0]!)
    await workOnce(deps)
    expect((await rowOf(portal, taken)).state).toBe('delivered')
  })
})

describe('GET /user/deliveries', () => {
  test('lists the player’s own purchases in pages, the newest first', async () => {
    const mine = await buyer(50_000)
    await buyer()
    const ids = [mine.id]
    for (let more = 0; more < 4; more++) ids.unshift(await buyLuongFor(portal, mine))
    const page = async (query: string) => {
      const { status, body } = await portal.call('GET', `/api/user/deliveries${query}`, {
        token: mine.player.token,
      })
      expect(status).toBe(200)
      const { data, payload } = body as {
        data: { id: string; status: string }[]
        payload: { pagination: unknown }
      }
      return { ids: data.map(({ id }) => id), statuses: data.map(({ status }) => status), ...payload }
    }
    expect(await page('')).toMatchObject({
      ids,
      statuses: Array(5).fill('pending'),
      pagination: { page: 1, items_per_page: 20, total: 5, last_page: 1 },
    })
    expect(await page('?page=2&items_per_page=2')).toMatchObject({
      ids: ids.slice(2, 4),
      pagination: { page: 2, items_per_page: 2, total: 5, last_page: 3 },
    })
    expect((await page('?page=9')).ids).toEqual([])
    while ((await workOnce(deps)) > 0);
    expect((await page('')).statuses).toEqual(Array(5).fill('delivered'))
  })

  test('of a new player is empty; a visitor has none; wrong pages are refused', async () => {
    const { token } = await aPlayer(portal)
    expect(await portal.call('GET', '/api/user/deliveries', { token })).toMatchObject({
      status: 200,
      body: { data: [], payload: { pagination: { page: 1, items_per_page: 20, total: 0, last_page: 1 } } },
    })
    expect((await portal.call('GET', '/api/user/deliveries')).status).toBe(401)
    for (const query of ['?page=0', '?page=x', '?items_per_page=101']) {
      expect((await portal.call('GET', `/api/user/deliveries${query}`, { token })).status).toBe(422)
    }
  })
})
