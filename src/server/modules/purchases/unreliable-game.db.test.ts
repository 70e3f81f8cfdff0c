import { operatorsCall } from '#tests/support/operators.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openGameBridge } from '#server/modules/game-bridge/index.ts'
import { GAME_SECRET, useGameApp } from '#tests/support/fixtures.ts'
import { startTestGame } from '#tests/support/game-server.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { buyLuongFor, eventually, aBuyer, makeDue, rowOf, workOnce } from '#tests/support/purchases.ts'
import { startDeliveryWorker } from './index.ts'
import { refundDelivery } from './operator.service.ts'
import type { DeliveriesDeps } from './worker.service.ts'

const { game, portal: app, aCharacterOf } = useGameApp()
let deps: DeliveriesDeps
beforeAll(() => void ({ deps } = app))
beforeEach(() => game.slowDown(0))
afterEach(() => expectReconciled(app))

const buyer = (coins?: number) => aBuyer(app, coins, aCharacterOf)
const luongOf = (character: string) => game.find(character)!.luong

/** A game nobody can reach. */
async function withNobodyThere(): Promise<DeliveriesDeps> {
  const gone = await startTestGame({ secret: GAME_SECRET })
  await gone.close()
  return { ...deps, game: openGameBridge({ ...deps, http: { url: gone.url, secret: GAME_SECRET } }) }
}

const callsFor = (id: string) =>
  game.calls.filter((call) => call.includes(id)).map((call) => call.split(' ')[0])

describe('a game that', () => {
  test('is busy gets the delivery again later, and later still', async () => {
    const { character, id } = await buyer()
    game.failNext('busy', 2)
    for (const [attempt, seconds] of [
      [1, 1],
      [2, 2],
    ] as const) {
      const began = Date.now()
      await workOnce(deps)
      const ended = Date.now()
      const { next_attempt_at: due, ...row } = await rowOf(app, id)
      expect(row).toMatchObject({ state: 'pending', attempt, last_error: 'HTTP 503' })
      // A fifth more or less, from the failure on.
      expect(due.getTime() - began).toBeGreaterThanOrEqual(seconds * 800 - 1)
      expect(due.getTime() - ended).toBeLessThanOrEqual(seconds * 1_200 + 1)
      await makeDue(app, 60)
      expect(await workOnce(deps)).toBe(0)
      await makeDue(app)
    }
    await workOnce(deps)
    expect(await rowOf(app, id)).toMatchObject({ state: 'delivered', attempt: 3, last_error: null })
    expect(luongOf(character)).toBe(3_300)
  })

  test('refuses has its reason written down and the coins go back', async () => {
    const { player, character, id } = await buyer()
    game.failNext('refuse')
    await workOnce(deps)
    expect(await rowOf(app, id)).toMatchObject({ state: 'refunded', last_error: 'bag-full' })
    expect(await balanceOf(app.db, player.walletId)).toBe(10_000)
    expect(luongOf(character)).toBe(0)
  })

  test.each(['error-after', 'reset-after'] as const)(
    'breaks with %s is queried, and nothing is sent twice',
    async (fault) => {
      const { character, id } = await buyer()
      game.failNext(fault)
      await workOnce(deps)
      expect((await rowOf(app, id)).state).toBe('unknown')
      await makeDue(app)
      await workOnce(deps)
      expect((await rowOf(app, id)).state).toBe('delivered')
      expect(callsFor(id)).toEqual(['PUT', 'GET'])
      expect(luongOf(character)).toBe(3_300)
    },
  )

  test.each(['error-before', 'reset-before'] as const)(
    'breaks with %s is queried, and gets the same id again',
    async (fault) => {
      const { character, id } = await buyer()
      game.failNext(fault)
      await workOnce(deps)
      await makeDue(app)
      await workOnce(deps)
      expect((await rowOf(app, id)).state).toBe('delivered')
      expect(callsFor(id)).toEqual(['PUT', 'GET', 'PUT'])
      expect(luongOf(character)).toBe(3_300)
    },
  )

  test('cancelled elsewhere what we do not know about: the coins go back', async () => {
    const { player, character, id } = await buyer()
    game.failNext('error-before')
    await workOnce(deps)
    await deps.game.cancel(id)
    await makeDue(app)
    await workOnce(deps)
    expect(await rowOf(app, id)).toMatchObject({ state: 'refunded', last_error: 'cancelled' })
    expect(await balanceOf(app.db, player.walletId)).toBe(10_000)
    expect(luongOf(character)).toBe(0)
  })

  test('knows our id with other goods leaves it to an operator', async () => {
    const { character, id } = await buyer()
    const alien = { id, serverId: '1', account: 'ai-do', characterId: character, goods: [] }
    await deps.game.deliver(alien)
    await workOnce(deps)
    expect(await rowOf(app, id)).toMatchObject({ state: 'parked', last_error: 'conflict' })
    expect(app.logged()).toContain('a delivery waits for an operator')
    expect((await refundDelivery(deps, operatorsCall(id))).state).toBe('refunded')
  })
})

describe('what may have arrived', () => {
  test('is never refunded by time or by failing again, only parked in the end, and settled once the game answers', async () => {
    const { player, character, id } = await buyer()
    game.failNext('error-after')
    await workOnce(deps)
    const unreachable = await withNobodyThere()
    for (let round = 0; round < 5; round++) {
      await makeDue(app)
      await workOnce(unreachable)
      expect((await rowOf(app, id)).state).toBe('unknown')
    }
    await app.db.updateTable('delivery').set({ attempt: 199 }).where('id', '=', id).execute()
    await makeDue(app)
    await workOnce(unreachable)
    expect(await rowOf(app, id)).toMatchObject({ state: 'parked', attempt: 200 })
    expect(await balanceOf(app.db, player.walletId)).toBe(0)

    await expect(refundDelivery(unreachable, operatorsCall(id))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    expect((await rowOf(app, id)).state).toBe('parked')
    expect((await refundDelivery(deps, operatorsCall(id))).state).toBe('delivered')
    expect(luongOf(character)).toBe(3_300)
    expect(await balanceOf(app.db, player.walletId)).toBe(0)
  })
})

describe('while the game is away', () => {
  const open = () => app.db.selectFrom('delivery').where('settled_at', 'is', null)
  const attempts = async () =>
    (await open().select('attempt').execute()).reduce((sum, { attempt }) => sum + attempt, 0)
  const sending = async () => (await open().select('id').where('state', '=', 'sending').execute()).length

  test('the breaker spares it: five tries at once, then one in ten seconds', async () => {
    const first = await buyer(10_000)
    const others = []
    for (let index = 0; index < 9; index++) others.push(await buyer())
    const loops = startDeliveryWorker(await withNobodyThere())
    // What had been begun when the fifth failure came is over, so the breaker is open by then.
    await eventually(async () => {
      expect(await attempts()).toBeGreaterThanOrEqual(8)
      expect(await sending()).toBe(0)
    })
    const opened = await attempts()
    expect(opened).toBeLessThanOrEqual(12)
    // Every one of them comes due again in this time, and the worker reads three times.
    await sleep(3_000)
    expect(await attempts()).toBe(opened)
    await Promise.all(loops.map((loop) => loop.stop()))

    await makeDue(app)
    await workOnce(deps)
    for (const { id } of [first, ...others]) expect((await rowOf(app, id)).state).toBe('delivered')
  })

  test('a purchase is answered as fast as ever, since nobody waits for the game', async () => {
    const { player, character } = await buyer(30_000)
    game.slowDown(5_000)
    const started = performance.now()
    await buyLuongFor(app, { player, character })
    expect(performance.now() - started).toBeLessThan(4_000)
    game.slowDown(0)
    while ((await workOnce(deps)) > 0);
    expect(luongOf(character)).toBe(6_600)
  })
})
