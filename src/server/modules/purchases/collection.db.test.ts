import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCollector, startGameJobs } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useGameApp } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { anOperator } from '#tests/support/operators.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aBuyer, buyLuongFor, eventually, rowOf, workOnce } from '#tests/support/purchases.ts'
import { claimUncollected } from './collection.queries.ts'
import { followCollections } from './collection.service.ts'
import { startDeliveryWorker } from './index.ts'
import { allDue } from '#tests/support/due-part.ts'

const { game, portal: app, aCharacterOf } = useGameApp()
beforeEach(() => game.collect({ isOn: true, offline: [], reason: null }))
afterEach(() => expectReconciled(app))

/** A purchase that the game has applied. */
async function anApplied() {
  const bought = await aBuyer(app, 10_000, aCharacterOf)
  await workOnce(app.deps)
  expect((await rowOf(app, bought.id)).state).toBe('delivered')
  return bought
}

const stored = (id: string) =>
  app.db.selectFrom('delivery_collection').selectAll().where('delivery_id', '=', id).executeTakeFirst()

async function makeDue(id: string): Promise<void> {
  await app.db
    .updateTable('delivery_collection')
    .set({ next_ask_at: sql<Date>`now()` })
    .where('delivery_id', '=', id)
    .execute()
}

/** Makes every question due, and asks. */
async function ask(): Promise<void> {
  await app.db
    .updateTable('delivery_collection')
    .set({ next_ask_at: sql<Date>`now()` })
    .where('collected_at', 'is', null)
    .execute()
  await followCollections(app.deps)
}

const receipt = async ({ player, id }: { player: TestPlayer; id: string }) =>
  (await app.call('GET', `/api/user/deliveries/${id}`, { token: player.token })).body

/** One round of the job that reads what the game says about itself. */
async function readGame(deps: Parameters<typeof startGameJobs>[0]): Promise<void> {
  await Promise.all(startGameJobs(deps, async () => new Date()).map((loop) => loop.stop()))
}

const questionsAbout = (id: string) => game.calls.filter((call) => call === `GET /v1/deliveries/${id}`).length

describe('a delivery that the game has applied', () => {
  test('is told as waiting, once for each reason, and once as being there', async () => {
    game.collect({ reason: 'bag-full' })
    const bought = await anApplied()
    await ask()
    game.collect({ reason: 'over-limit' })
    await ask()
    game.collect({ reason: 'bag-full' })
    await ask()
    await ask()
    game.collect({ reason: null })
    await ask()
    await ask()
    const notices = await noticesOf(app, bought.player)
    expect(notices.map(({ kind, title, href }) => [kind, title, href])).toEqual(
      ['Món đã vào nhân vật', 'Món đang chờ trong game', 'Món đang chờ trong game'].map((title) => [
        'delivery',
        title,
        `/user/deliveries/${bought.id}`,
      ]),
    )
    expect(notices[1]?.text).toMatch(/^3,300 lượng cho nhân vật nhanvat\d+\. Vượt mức tối đa/)
    expect(notices[2]?.text).toContain('Hành trang đầy')
  })

  test('is asked about after a second, and is collected for good', async () => {
    const bought = await anApplied()
    const before = await stored(bought.id)
    expect(before).toMatchObject({ collected_at: null, waiting: null, asks: 0 })
    const { settled_at } = await rowOf(app, bought.id)
    const delay_ms = before!.next_ask_at!.getTime() - (settled_at as Date).getTime()
    expect(delay_ms).toBeGreaterThanOrEqual(1_000)
    // The row is written in the settling transaction.
    expect(delay_ms).toBeLessThan(10_000)
    expect(questionsAbout(bought.id)).toBe(0)
    expect(await receipt(bought)).toMatchObject({
      status: 'delivered',
      is_collection_told: true,
      collected_at: null,
      waiting: null,
    })
    await ask()
    expect(await stored(bought.id)).toMatchObject({
      collected_at: expect.any(Date),
      waiting: null,
      asks: 1,
      next_ask_at: null,
    })
    expect(await receipt(bought)).toMatchObject({ collected_at: expect.any(String), waiting: null })
    await ask()
    expect(questionsAbout(bought.id)).toBe(1)
  })

  test('waits with the game’s reason, which the player and the operators read, until it is collected', async () => {
    game.collect({ reason: 'bag-full' })
    const bought = await anApplied()
    await ask()
    expect(await receipt(bought)).toMatchObject({
      status: 'delivered',
      collected_at: null,
      waiting: 'bag-full',
    })
    const { body: list } = await app.call('GET', '/api/user/deliveries', { token: bought.player.token })
    expect(list.data).toMatchObject([{ id: bought.id, is_collection_told: true, waiting: 'bag-full' }])
    const owner = await anOperator(app, 'owner')
    const found = async (filter: object) => {
      const query = new URLSearchParams({ filter: JSON.stringify(filter) })
      const { body } = await app.call('GET', `/api/operator/deliveries?${query}`, { token: owner.token })
      return (body as { id: string }[]).map(({ id }) => id)
    }
    expect(await found({ waiting: 'bag-full' })).toEqual([bought.id])
    expect(await found({ waiting: 'offline' })).toEqual([])
    expect(await found({ uncollected: true, user: bought.player.username })).toEqual([bought.id])
    game.collect({ reason: null })
    await ask()
    expect(await found({ uncollected: true })).toEqual([])
    expect(await receipt(bought)).toMatchObject({ collected_at: expect.any(String), waiting: null })
  })

  test('is asked about more rarely each time, also when no answer comes', async () => {
    game.collect({ reason: 'offline' })
    const { id } = await anApplied()
    /** The next question comes so many seconds after this one, which was asked at some time during `work`. */
    const expectDelay = async (seconds: number, work: () => Promise<unknown>) => {
      const start_ms = Date.now()
      await work()
      const next_ms = (await stored(id))!.next_ask_at!.getTime()
      expect(next_ms - seconds * 1_000).toBeGreaterThanOrEqual(start_ms)
      expect(next_ms - seconds * 1_000).toBeLessThanOrEqual(Date.now())
    }
    await expectDelay(3, ask)
    await expectDelay(10, ask)
    const silent = {
      ...app.deps,
      game: { ...app.deps.game, collection: () => Promise.reject(new Error('away')) },
    }
    await makeDue(id)
    await expectDelay(30, () => followCollections(silent))
    expect(await stored(id)).toMatchObject({ asks: 3, waiting: 'offline' })
  })

  test('is taken by one worker at a time, and again when that one died', async () => {
    game.collect({ isOn: false })
    const { id } = await anApplied()
    await makeDue(id)
    const claim = async () => (await claimUncollected(app.db, allDue(10), 30)).map((one) => one.id)
    // Another worker is just taking it.
    await inTransaction(app.db, async (tx) => {
      await sql`SELECT FROM delivery_collection WHERE delivery_id = ${id}::uuid FOR UPDATE`.execute(tx)
      expect(await claim().catch(() => [id])).not.toContain(id)
    })
    expect(await claim()).toContain(id)
    expect(await claim()).not.toContain(id)
    await makeDue(id)
    expect(await claim()).toContain(id)
  })

  test('that was collected stays so, whatever a late answer says', async () => {
    const { id, player } = await anApplied()
    const collection = async () => {
      await ask()
      return { collectedAt: null, waiting: 'offline' as const }
    }
    await makeDue(id)
    await followCollections({ ...app.deps, game: { ...app.deps.game, collection } })
    expect(await stored(id)).toMatchObject({ collected_at: expect.any(Date), waiting: null })
    expect((await noticesOf(app, player)).map(({ title }) => title)).toEqual(['Món đã vào nhân vật'])
  })

  test('of a game that does not tell is not asked about again, and counts as there', async () => {
    const bought = await anApplied()
    const untold = { ...app.deps, game: { ...app.deps.game, collection: async () => null } }
    await makeDue(bought.id)
    await followCollections(untold)
    expect(await stored(bought.id)).toBeUndefined()
    expect(await receipt(bought)).toMatchObject({ status: 'delivered', is_collection_told: false })
    const titles = async ({ player }: { player: TestPlayer }) =>
      (await noticesOf(app, player)).map(({ title }) => title)
    expect(await titles(bought)).toEqual(['Món đã vào nhân vật'])
    await readGame(untold)
    const next = await anApplied()
    expect(await stored(next.id)).toBeUndefined()
    expect(await titles(next)).toEqual(['Món đã vào nhân vật'])
    await readGame(app.deps)
    expect(await stored((await anApplied()).id)).toBeDefined()
  })
})

test('a running worker follows a purchase until it is with the character', async () => {
  const loops = startDeliveryWorker(app.deps)
  try {
    const bought = await aBuyer(app, 10_000, aCharacterOf)
    await eventually(async () =>
      expect(await receipt(bought)).toMatchObject({ collected_at: expect.any(String) }),
    )
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()))
  }
})

test('operators read the sign of life, and how much is not collected', async () => {
  game.collect({ isOn: false })
  await anApplied()
  await readGame(app.deps)
  const owner = await anOperator(app, 'owner')
  const bridge = async () => (await app.call('GET', '/api/operator/game-bridge', { token: owner.token })).body
  expect(await bridge()).toMatchObject({ collector: { is_silent: false, seen_at: expect.any(String) } })
  expect((await bridge()).uncollected).toBeGreaterThan(0)
  await app.db
    .updateTable('game_description')
    .set({ collector_seen_at: sql<Date>`now() - interval '3 minutes'` })
    .execute()
  expect(await readCollector(app.db)).toMatchObject({ is_silent: true })
  const { body: alarms } = await app.call('GET', '/api/operator/alarms', { token: owner.token })
  expect(alarms).toContainEqual(
    expect.objectContaining({ name: 'collector-silent', runbook: 'deliveries.md' }),
  )
})

test('operators read for which server goods wait, and list them', async () => {
  const owner = await anOperator(app, 'owner')
  const read = async (path: string) => (await app.call('GET', path, { token: owner.token })).body
  const waiting = async () =>
    ((await read('/api/operator/game-bridge')) as { waiting_by_server: object[] }).waiting_by_server
  const listed = async (filter: object) => {
    const query = new URLSearchParams({ filter: JSON.stringify(filter), range: '[0,99]' })
    return ((await read(`/api/operator/deliveries?${query}`)) as { id: string }[]).map(({ id }) => id)
  }
  const boughtOn = async (serverId: string, character: string) => {
    const player = await aPlayer(app, { coins: 10_000, isActivated: true, serverId })
    game.addCharacter({ id: character, account: player.username, name: character, serverId })
    await app.db.deleteFrom('game_character_fetch').where('user_id', '=', player.id).execute()
    return buyLuongFor(app, { player, character })
  }
  await ask()
  game.collect({ reason: 'offline' })

  const there = await boughtOn('2', 'o-2')
  await workOnce(app.deps)
  await ask()
  const open = [await boughtOn('2', 'o-2-nua'), await boughtOn('2', 'o-2-them')]
  const here = await boughtOn('1', 'o-1')

  expect(await waiting()).toEqual([
    { server_id: '2', server_name: 'Bạch Vân', open: 2, uncollected: 1 },
    { server_id: '1', server_name: 'Trúc Lâm', open: 1, uncollected: 0 },
  ])
  expect(await listed({ server_id: '2' })).toEqual(open)
  expect(await listed({ server_id: '1' })).toEqual([here])
  expect(await listed({ server_id: '2', uncollected: true })).toEqual([there])
  expect(await listed({ server_id: '2', waiting: 'offline' })).toEqual([there])
  expect(await listed({ server_id: '3' })).toEqual([])
})
