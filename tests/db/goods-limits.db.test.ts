import { beforeEach, describe, expect, test } from 'vitest'
import { promiseGoods } from '#server/modules/audit/index.ts'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type TestAnswer, useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { workOnce } from '#tests/support/purchases.ts'
import { aTaker, CALENDAR, gameTakes } from '#tests/support/rewards.ts'
import { inHours, setSetting } from '#tests/support/settings.ts'

const portal = useTestApp()
const { owner, other, second } = useOperators(portal, { owner: 'owner', other: 'owner', second: 'owner' })
beforeEach(async () => {
  await asOwner(portal, 'DELETE FROM goods_promise')
  await gameTakes(portal, { pet: 10 })
  await limit({ act: 10_000, alone: 1_000, operator: 15_000, day: 24_000, budget: 30_000 }, 'luong')
  await limit({ act: 20, alone: 5, operator: 30, day: 40, budget: 50 }, 'loads')
})

const limit = async (limits: Partial<Record<string, number>>, what: 'luong' | 'loads') => {
  for (const [name, value] of Object.entries(limits))
    await setSetting(portal, `goods_${name}_${what}`, String(value))
}

const ask = (path: string, body: object, by = owner) =>
  portal.call('POST', `/api/operator/${path}`, {
    token: by.token,
    body: { reason: 'Thử hạn mức quà', ...body },
  })

const make = (goods: object, uses: number, by = owner) =>
  ask(
    'gift-code-batches',
    {
      title: 'Mã khai trương',
      coins: null,
      budget_id: null,
      goods: [goods],
      starts_at: inHours(0),
      ends_at: inHours(24),
      codes: 1,
      uses_per_code: uses,
      per_player: 1,
      server_id: null,
    },
    by,
  )
const luong = (quantity: number) => ({ kind: 'luong', quantity })
const pets = (quantity: number) => ({ kind: 'item', code: 'pet', quantity })

const start = async (goods: object, uses: number, by = owner) => {
  const made = await make(goods, uses, by)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const started = await ask(`gift-code-batches/${made.body.batch.id}/start`, {}, by)
  return { ...started, batch: made.body.batch.id, csv: made.body.csv }
}
/** By everybody who is asked; answers the last of them. */
const approve = async ({ body }: { body: { proposal: { id: string; asked: { id: string }[] } } }) => {
  const { id, asked } = body.proposal
  const path = `proposals/${id}/approve`
  for (const one of [owner, other].filter((each) => asked.some((person) => person.id === each.id)))
    expect((await ask(path, {}, one)).body.state).toBe('waiting')
  return ask(path, {}, second)
}
const run = async (goods: object, uses: number, by = owner) => {
  const started = await start(goods, uses, by)
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  expect((await approve(started)).status).toBe(200)
  return started
}
/** Makes promises as old as they would be after so many hours. */
const later = (hours: number) =>
  asOwner(
    portal,
    `UPDATE goods_promise SET promised_at = promised_at - make_interval(hours => $1),
            ends_at = ends_at - make_interval(hours => $1)`,
    [hours],
  )
const redeem = async (csv: string) => {
  const { player, character } = await aTaker(portal)
  const body = { code: csv.trim(), character_id: character }
  expect((await portal.call('POST', '/api/gift-codes/redeem', { token: player.token, body })).status).toBe(
    200,
  )
}
const used = async (name: string, what = 'luong') => {
  const { body } = await portal.call('GET', '/api/operator/goods-limits', { token: owner.token })
  return body.limits.find((one: { name: string }) => one.name === name)[what]
}

describe('one act', () => {
  test('a batch that may give more cannot be made, whatever each use gives', async () => {
    expect(await make(luong(100), 101)).toMatchObject({
      status: 422,
      body: { errors: { goods: ['Tặng nhiều nhất 10,100 lượng, quá mức của một lần: 10,000 lượng'] } },
    })
    expect((await make(luong(100_000_000), 1_000_000)).status).toBe(422)
    // Twenty times the most that the game takes at once, in uses of any size.
    expect((await make(pets(10), 20)).status).toBe(201)
    expect((await make(pets(10), 21)).body.errors.goods[0]).toContain('21 lần mức tối đa')
    expect((await make(pets(1), 200)).status).toBe(201)
    expect((await make(pets(1), 201)).status).toBe(422)
    expect((await make(luong(100), 100)).status).toBe(201)
  })

  const milestones = (claims: number | undefined, goods = [luong(100)]) =>
    ask('milestones', {
      title: 'Mốc nạp khai trương',
      starts_at: inHours(1),
      ends_at: inHours(2),
      claims_until: inHours(3),
      claims_max: claims,
      steps: [
        { at: 10_000, goods },
        { at: 20_000, goods: [luong(300)] },
      ],
    })

  test('a programme of milestones counts every step for as many players as may take it', async () => {
    expect(await milestones(26)).toMatchObject({
      status: 422,
      body: { errors: { steps: ['Tặng nhiều nhất 10,400 lượng, quá mức của một lần: 10,000 lượng'] } },
    })
    const planned = await milestones(25)
    expect(planned).toMatchObject({ status: 201, body: { claims_max: 25 } })
    expect((await milestones(undefined)).status).toBe(422)
    const started = await ask(`milestones/${planned.body.id}/start`, {})
    expect(started.body.proposal.terms.worst).toContain('10,000 lượng')
    expect((await approve(started)).status).toBe(200)
    expect(await used('day')).toEqual({ limit: 24_000, used: 10_000, left: 14_000 })
    expect((await ask(`milestones/${planned.body.id}/stop`, {})).status).toBe(200)
    expect(await used('day')).toMatchObject({ used: 0 })
  })
})

describe('24 hours', () => {
  test('what one operator asked for counts together, and what all did', async () => {
    await run(luong(100), 100)
    expect(await start(luong(100), 51)).toMatchObject({
      status: 409,
      body: {
        message:
          'Tặng nhiều nhất 5,100 lượng, quá mức của một người vận hành trong 24 giờ: 15,000 lượng, đã dùng 10,000 lượng, còn 5,000 lượng',
      },
    })
    await run(luong(100), 50)
    expect(await start(luong(100), 91, other)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('của cả ban vận hành trong 24 giờ') },
    })
    await run(luong(100), 90, other)
    await later(25)
    expect((await start(luong(100), 100)).status).toBe(202)
  })

  test('of two that wait and fit only one by one, one is approved', async () => {
    const waiting = [await start(luong(100), 80), await start(luong(100), 80)]
    const decided = await Promise.all(waiting.map(approve))
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await used('operator')).toMatchObject({ used: 8_000 })
  })

  test('a promise waits for one that is being made, and then counts it', async () => {
    const promise = (subject: string) => ({
      kind: 'gift-codes' as const,
      subject,
      operatorId: owner.id,
      isAlone: false,
      amount: { luong: 8_000n, loads: 0n },
      limits,
      endsAt: new Date(Date.now() + 3_600_000),
    })
    const { goodsLimits: limits } = await readSettings(portal.db)
    const { waiting } = await inTransaction(portal.db, async (tx) => {
      await promiseGoods(tx, promise('first'))
      const second = inTransaction(portal.db, (theirs) => promiseGoods(theirs, promise('second')))
      await oneWaits(portal.db)
      return { waiting: second.catch((error: unknown) => String(error)) }
    })
    expect(await waiting).toContain('còn 7,000 lượng')
  })

  test('what takes effect without a second person has a smaller limit, of all such acts together', async () => {
    const batches = [await start(luong(100), 11), await start(luong(100), 6), await start(luong(100), 5)]
    await asOwner(portal, "UPDATE proposal SET takes_effect_at = now() WHERE state = 'waiting'")
    while (await takeEffect(portal.deps));
    const states = await Promise.all(
      batches.map(async ({ batch }) => {
        const filter = encodeURIComponent(JSON.stringify({ id: batch }))
        const list = await portal.call('GET', `/api/operator/gift-code-batches?filter=${filter}`, {
          token: owner.token,
        })
        return list.body[0].state
      }),
    )
    expect(states[0]).toBe('planned')
    expect(states.slice(1).toSorted()).toEqual(['planned', 'running'])
  })
})

describe('the budget of 30 days', () => {
  test('holds what runs whatever its age, then only what was given, and that for 30 days', async () => {
    const { batch, csv } = await run(luong(100), 100)
    await run(luong(100), 100, other)
    await redeem(csv)
    // Neither counts for a day any more, and both run still.
    await asOwner(portal, "UPDATE goods_promise SET promised_at = now() - interval '25 hours'")
    await run(luong(100), 100)
    expect(await start(luong(1), 1, other)).toMatchObject({
      status: 409,
      body: {
        message:
          'Tặng nhiều nhất 1 lượng, quá mức của ngân sách quà trong 30 ngày: 30,000 lượng, đã dùng 30,000 lượng, còn 0 lượng',
      },
    })
    expect((await ask(`gift-code-batches/${batch}/stop`, {})).status).toBe(200)
    expect(await used('budget')).toEqual({ limit: 30_000, used: 20_100, left: 9_900 })
    // The others are over by themselves.
    await later(29)
    expect(await used('budget')).toMatchObject({ used: 100 })
    await later(30 * 24)
    expect(await used('budget')).toMatchObject({ used: 0 })
  })
})

describe('the daily check-in', () => {
  const take = async ({ player, character }: Awaited<ReturnType<typeof aTaker>>): Promise<TestAnswer> =>
    portal.call('POST', '/api/check-in', { token: player.token, body: { character_id: character } })
  const open = async (players: number, quantity: number) => {
    await setSetting(portal, 'check_in_goods', JSON.stringify(CALENDAR.map(() => [luong(quantity)])))
    await setSetting(portal, 'check_in_players', String(players))
    await setSetting(portal, 'check_in_enabled', '1')
  }

  test('has goods for so many players as the setting says, also at the same moment', async () => {
    await open(3, 50)
    const takers = await Promise.all(Array.from({ length: 6 }, () => aTaker(portal)))
    const answers = await Promise.all(takers.map(take))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).toContain('hôm nay đã hết')
    expect(await used('day')).toMatchObject({ used: 150 })
    await workOnce(portal.deps)
  })

  test('counts beside what operators give, and stops where that left nothing', async () => {
    await open(10, 100)
    expect((await take(await aTaker(portal))).status).toBe(200)
    expect(await used('day')).toMatchObject({ used: 1_000 })
    await run(luong(100), 100)
    await run(luong(100), 100, other)
    // Goods of another size on the same day are another promise.
    await open(10, 400)
    expect((await take(await aTaker(portal))).status).toBe(409)
  })

  const change = (values: object) =>
    portal.call('PUT', '/api/operator/settings', {
      token: owner.token,
      body: { values, updated_at: null, reason: 'Thử hạn mức quà' },
    })

  test('takes no calendar or number of players whose day is above the limit of an act', async () => {
    await asOwner(portal, "DELETE FROM settings WHERE key LIKE 'check_in%'")
    const goods = (quantity: number) => JSON.stringify(CALENDAR.map(() => [luong(quantity)]))
    expect(await change({ check_in_goods: goods(2) })).toMatchObject({
      status: 422,
      body: {
        errors: { check_in_goods: ['Tặng nhiều nhất 20,000 lượng, quá mức của một lần: 10,000 lượng'] },
      },
    })
    const proposed = await change({ check_in_goods: goods(1) })
    expect(proposed.status).toBe(202)
    expect(proposed.body.proposals[0].terms.worst).toContain('310,000 lượng')
    await setSetting(portal, 'check_in_goods', goods(1))
    expect((await change({ check_in_players: '10001' })).status).toBe(422)
  })
})
