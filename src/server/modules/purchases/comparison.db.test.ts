import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner } from '#tests/support/databases.ts'
import { useGameApp, useOperators } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { anOperatorWithoutProof, type TestOperator } from '#tests/support/operators.ts'
import { type Buyer, aBuyer, buyLuongFor, makeDue, rowOf, workOnce } from '#tests/support/purchases.ts'
import { setSetting } from '#tests/support/settings.ts'
import { balanceOf } from '#tests/support/bank.ts'
import { compareNext, eraseOldComparisons } from './comparison.service.ts'

const LUONG = 3_300

const { game, portal: app, aCharacterOf } = useGameApp()
const { owner, cashier } = useOperators(app, { owner: 'owner', cashier: 'cashier' })
afterAll(() => expectReconciled(app))
beforeEach(async () => {
  await sql`UPDATE game_comparison SET state = 'failed', finished_at = now() WHERE state = 'running'`.execute(
    app.db,
  )
})

async function deliverAll(): Promise<void> {
  await makeDue(app)
  while ((await workOnce(app.deps)) > 0) await makeDue(app)
}

/** A player who bought so many times for one character, everything delivered. */
async function aShopper(times: number): Promise<Buyer & { ids: string[] }> {
  const { player, character, id } = await aBuyer(app, times * 10_000, aCharacterOf)
  const ids = [id]
  while (ids.length < times) ids.push(await buyLuongFor(app, { player, character }))
  await deliverAll()
  return { player, character, ids }
}

const ask = (
  method: 'GET' | 'POST',
  path: string,
  { by = owner, ...rest }: { by?: TestOperator; body?: object } = {},
) => app.call(method, `/api/operator/${path}`, { token: by.token, ...rest })

const start = (body: object = {}, by = owner) =>
  ask('POST', 'game-comparison', { by, body: { reason: 'Game được đưa về bản cũ', ...body } })

const latest = async () => (await ask('GET', 'game-comparison')).body.comparison

/** Starts a comparison of what was bought since, and makes it. */
async function compare(body: object = {}): Promise<{ id: string; missing: string[] }> {
  const started = await start(body)
  expect(started.status, JSON.stringify(started.body)).toBe(200)
  while (await compareNext(app.deps));
  const { id, state } = await latest()
  expect(state).toBe('done')
  return { id, missing: await missingOf(id) }
}

const missingOf = async (comparison: string): Promise<string[]> => {
  const query = new URLSearchParams({ filter: JSON.stringify({ comparison }), range: '[0,99]' })
  const { body } = await ask('GET', `missing-deliveries?${query}`)
  return body.map(({ id }: { id: string }) => id)
}

const giveAgain = (body: { comparison: string; ids?: string[]; server_id?: string }, by = owner) =>
  ask('POST', 'missing-deliveries/give-again', { by, body: { reason: 'Khách mất món đã mua', ...body } })

const approve = ({ id }: { id: string }, by = cashier) =>
  ask('POST', `proposals/${id}/approve`, { by, body: { reason: 'Đã kiểm tra với chủ game' } })

const since = () => new Date(Date.now() - 1).toISOString()

/** Puts back a copy of the game from before the last deliveries: each has two rows in its journal, applied and collected. */
async function lose(shopper: { ids: string[] }, count: number): Promise<string[]> {
  const lost = shopper.ids.slice(-count)
  await game.setBack((rows) => rows - 2 * count)
  return lost
}

const givenFor = async (ids: readonly string[]) =>
  app.db
    .selectFrom('delivery')
    .select(['id', 'replaces', 'state', 'amount', 'kind', 'account', 'character_id', 'goods'])
    .where('replaces', 'in', [...ids])
    .orderBy('created_at')
    .execute()

describe('a comparison', () => {
  test('finds exactly what a game that was set back does not know, and it is given again once', async () => {
    const from = since()
    const shopper = await aShopper(6)
    const { player, character, ids } = shopper
    expect(game.find(character)?.luong).toBe(6 * LUONG)
    const lost = await lose(shopper, 3)
    expect(game.find(character)?.luong).toBe(3 * LUONG)
    const { id: comparison, missing } = await compare({ since: from })
    expect(missing).toEqual(lost)
    expect(await latest()).toMatchObject({ asked: 6, missing: 3, by: { id: owner.id } })

    const proposed = await giveAgain({ comparison })
    expect(proposed.body).toMatchObject({ deliveries: 3, proposal: { kind: 'give-again', state: 'waiting' } })
    expect(await givenFor(lost)).toEqual([])
    expect((await approve(proposed.body.proposal, owner)).status).toBe(409)
    const done = await approve(proposed.body.proposal)
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    const before = await balanceOf(app, player)
    await deliverAll()
    expect(game.find(character)?.luong).toBe(6 * LUONG)
    expect(await balanceOf(app, player)).toBe(before)
    const given = await givenFor(lost)
    expect(given.map(({ replaces }) => replaces)).toEqual(lost)
    for (const one of given)
      expect(one).toMatchObject({
        state: 'delivered',
        kind: 'again',
        amount: '0',
        account: player.username.toLowerCase(),
        character_id: character,
        goods: [{ kind: 'luong', quantity: LUONG }],
      })
    // Nothing is missing any more: what was given again is known under its new id.
    expect((await compare({ since: from })).missing).toEqual([])
    const again = await giveAgain({ comparison, ids: lost })
    expect(again.status).toBe(409)
    const receipt = await app.call('GET', `/api/user/deliveries/${given[0]?.id}`, { token: player.token })
    expect(receipt.body).toMatchObject({ kind: 'again', replaces: ids[3], amount: 0, refund_reason: null })
  })

  test('gives nothing twice when two operators act at once', async () => {
    const from = since()
    const shopper = await aShopper(4)
    const lost = await lose(shopper, 2)
    const { id: comparison } = await compare({ since: from })
    const proposals = await Promise.all([
      giveAgain({ comparison, ids: lost }, owner),
      giveAgain({ comparison, ids: lost }, cashier),
    ])
    const [byOwner, byCashier] = proposals.map(({ body }) => body.proposal)
    const decided = await Promise.all([approve(byOwner, cashier), approve(byCashier, owner)])
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await givenFor(lost)).toHaveLength(2)
    await deliverAll()
    expect(game.find(shopper.character)?.luong).toBe(4 * LUONG)
    // The database refuses it too, whatever the program does.
    const insert = sql`
      INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, replaces)
      SELECT ${randomUUID()}::uuid, 'again', user_id, 0, server_id, account, character_id, character_name, goods, id
        FROM delivery WHERE id = ${lost[0]}::uuid`
    await expect(insert.execute(app.db)).rejects.toThrow(/delivery_replaced_once/)
  })

  test('gives no more again than the limits of goods allow, of several batches together', async () => {
    const from = since()
    const lost = await lose(await aShopper(3), 3)
    const { id: comparison } = await compare({ since: from })
    await asOwner(app, 'DELETE FROM goods_promise')
    await setSetting(app, 'goods_act_luong', String(2 * LUONG))
    await setSetting(app, 'goods_day_luong', String(2 * LUONG))
    expect((await giveAgain({ comparison })).body.message).toContain('quá mức của một lần')
    const [first = '', second = '', third = ''] = lost
    await approve((await giveAgain({ comparison, ids: [first, second] })).body.proposal)
    expect((await giveAgain({ comparison, ids: [third] })).body.message).toContain('còn 0 lượng')
    expect(await givenFor(lost)).toHaveLength(2)
    await asOwner(app, "DELETE FROM settings WHERE key LIKE 'goods%'")
    await deliverAll()
  })

  test('finds what was given again and lost once more, which may be given again as its own row', async () => {
    const from = since()
    const shopper = await aShopper(2)
    const [lost = ''] = await lose(shopper, 1)
    const first = await compare({ since: from })
    await approve((await giveAgain({ comparison: first.id, ids: [lost] })).body.proposal)
    await deliverAll()
    const [given] = await givenFor([lost])
    await game.setBack((rows) => rows - 2)
    const second = await compare({ since: from })
    expect(second.missing).toEqual([given?.id])
    await approve((await giveAgain({ comparison: second.id })).body.proposal)
    await deliverAll()
    expect(game.find(shopper.character)?.luong).toBe(2 * LUONG)
  })

  test('does not give again what the game has again by then, and frees it', async () => {
    const from = since()
    const shopper = await aShopper(2)
    const lost = await lose(shopper, 1)
    const { id: comparison } = await compare({ since: from })
    await approve((await giveAgain({ comparison })).body.proposal)
    // The newer copy of the game comes back.
    const { replaces, ...delivery } = await oldDelivery(lost[0] ?? '')
    expect(replaces).toBeNull()
    expect(await app.deps.game.deliver(delivery)).toEqual({ kind: 'applied' })
    await deliverAll()
    const [given] = await givenFor(lost)
    expect(given?.state).toBe('refunded')
    expect(game.find(shopper.character)?.luong).toBe(2 * LUONG)
    const shown = await app.call('GET', `/api/user/deliveries/${given?.id}`, { token: shopper.player.token })
    expect(shown.body).toMatchObject({ status: 'refunded', refund_reason: null, amount: 0 })
    await game.setBack((rows) => rows - 3)
    const next = await compare({ since: from })
    expect(next.missing).toEqual(lost)
    await approve((await giveAgain({ comparison: next.id })).body.proposal)
    await deliverAll()
    expect(game.find(shopper.character)?.luong).toBe(2 * LUONG)
  })

  const oldDelivery = async (id: string) => {
    const row = await app.db.selectFrom('delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { server_id: serverId, account, character_id: characterId, replaces } = row
    return {
      id,
      serverId,
      account,
      characterId,
      replaces,
      goods: [{ kind: 'luong', quantity: LUONG }] as const,
    }
  }

  test('a delivery that is given again is cancelled without TCoin', async () => {
    const from = since()
    const shopper = await aShopper(1)
    const lost = await lose(shopper, 1)
    const { id: comparison } = await compare({ since: from })
    await approve((await giveAgain({ comparison })).body.proposal)
    const [given] = await givenFor(lost)
    const refunded = await ask('POST', `deliveries/${given?.id}/refund`, {
      body: { reason: 'Khách không cần nữa' },
    })
    expect(refunded.body).toMatchObject({ state: 'refunded', kind: 'again', replaces: lost[0] })
    expect(await balanceOf(app, shopper.player)).toBe(0)
    expect((await rowOf(app, lost[0] ?? '')).state).toBe('delivered')
  })
})

describe('the run', () => {
  test('is one at a time, of one server, and refuses a span that ends before it begins', async () => {
    expect((await start({ until: '2020-01-01T00:00:00Z', since: '2021-01-01T00:00:00Z' })).status).toBe(422)
    expect((await start({ server_id: 'khac' })).status).toBe(200)
    expect((await start({}, cashier)).status).toBe(409)
    while (await compareNext(app.deps));
    expect(await latest()).toMatchObject({ state: 'done', server_id: 'khac', asked: 0, missing: 0 })
  })

  test('goes on after a process that died, and asks about nothing twice when both write', async () => {
    const from = since()
    await aShopper(2)
    await start({ since: from })
    // Two workers at once: the one that claims later has nothing to do.
    expect(await Promise.all([compareNext(app.deps), compareNext(app.deps)])).toEqual([false, false])
    expect(await latest()).toMatchObject({ state: 'done', asked: 2 })
    await start({ since: from })
    await sql`UPDATE game_comparison SET lease_until = now() + interval '1 minute' WHERE state = 'running'`.execute(
      app.db,
    )
    expect(await compareNext(app.deps)).toBe(false)
    expect(await latest()).toMatchObject({ state: 'running', asked: 0 })
    await sql`UPDATE game_comparison SET lease_until = now() - interval '1 second' WHERE state = 'running'`.execute(
      app.db,
    )
    await compareNext(app.deps)
    expect(await latest()).toMatchObject({ state: 'done', asked: 2 })
  })

  test('is written down once by two workers that had the same page', async () => {
    const from = since()
    await aShopper(1)
    await start({ since: from })
    // The lease runs out while the first one waits for the game.
    const slow = {
      ...app.deps,
      game: {
        ...app.deps.game,
        async deliveryStatus(id: string) {
          await sql`UPDATE game_comparison SET lease_until = '-infinity' WHERE state = 'running'`.execute(
            app.db,
          )
          await compareNext({ ...app.deps, game: { ...app.deps.game, deliveryStatus: notLast } })
          return app.deps.game.deliveryStatus(id)
        },
      },
    }
    const notLast = async () => 'applied' as const
    await compareNext(slow)
    expect(await latest()).toMatchObject({ state: 'done', asked: 1, missing: 0 })
  })

  test('ends when the game does not answer', async () => {
    const from = since()
    await aShopper(1)
    await start({ since: from })
    const silent = {
      ...app.deps,
      game: { ...app.deps.game, deliveryStatus: () => Promise.reject(new Error('away')) },
    }
    for (let round = 0; round < 10; round++) {
      expect((await latest()).state).toBe('running')
      await sql`UPDATE game_comparison SET lease_until = '-infinity' WHERE state = 'running'`.execute(app.db)
      expect(await compareNext(silent)).toBe(false)
    }
    expect(await latest()).toMatchObject({ state: 'failed', asked: 0 })
  })

  test('giving again takes a fresh proof, and only what this comparison found', async () => {
    const from = since()
    const shopper = await aShopper(2)
    const lost = await lose(shopper, 1)
    const { id: comparison } = await compare({ since: from })
    const unproved = await anOperatorWithoutProof(app, 'cashier')
    expect((await giveAgain({ comparison, ids: lost }, unproved)).body.code).toBe('STEP_UP_REQUIRED')
    expect((await giveAgain({ comparison, ids: shopper.ids })).status).toBe(409)
    expect((await giveAgain({ comparison: '999999', ids: lost })).status).toBe(404)
    expect((await giveAgain({ comparison, server_id: 'khac' })).status).toBe(409)
  })

  test('is erased after 90 days', async () => {
    await sql`UPDATE game_comparison SET finished_at = now() - interval '91 days'`.execute(app.db)
    const old = sql<{
      count: string
    }>`SELECT count(*) FROM game_comparison WHERE finished_at < now() - interval '90 days'`
    expect(Number((await old.execute(app.db)).rows[0]?.count)).toBeGreaterThan(0)
    while (await eraseOldComparisons(app.deps));
    expect(Number((await old.execute(app.db)).rows[0]?.count)).toBe(0)
  })
})
