import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { anotherProcess } from '#tests/support/app.ts'
import { anOrder } from '#tests/support/bank.ts'
import { REASON, useCashDesk } from '#tests/support/cash-desk.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { AS_IF_LARGE, openPlanner, readWhole } from '#tests/support/plans.ts'
import { anAddress, ban, type TestPlayer } from '#tests/support/players.ts'
import { luongOf, workOnce } from '#tests/support/purchases.ts'
import { aTaker, runningMilestones, stopMilestones } from '#tests/support/rewards.ts'
import { inHours } from '#tests/support/settings.ts'
import { vietnamTime } from '#tests/support/signed-notifications.ts'
import { stepsReachedBy } from './milestones.queries.ts'

const desk = useCashDesk()
afterEach(() => expectReconciled(desk.portal))

const take = ({ token }: TestPlayer, step: string, character: string, key: string = randomUUID()) =>
  desk.portal.call('POST', `/api/milestones/${step}/claim`, {
    token,
    key,
    body: { character_id: character },
  })
const seen = async (player?: TestPlayer) =>
  (await desk.portal.call('GET', '/api/milestones', player && { token: player.token })).body

/** Money for a new order of the player; answers the bank transfer. */
async function recharges(player: TestPlayer, amount: number, change: object = {}): Promise<string> {
  const { code } = await anOrder(desk.portal, player, { amount })
  return desk.arrives({ content: code, transferAmount: amount, ...change })
}

const reverse = (transfer: string) => desk.act(transfer, 'reverse-credit', {}, { by: desk.owner })
const rewardsOf = async ({ id }: TestPlayer) =>
  desk.portal.db.selectFrom('reward').selectAll().where('user_id', '=', id).execute()

test('the goods of a step are taken once it is reached, once, and visitors see the steps', async () => {
  const { steps } = await runningMilestones(desk.portal)
  const [low, high] = steps as [(typeof steps)[0], (typeof steps)[0]]
  const { player, character } = await aTaker(desk.portal)
  expect(await seen()).toMatchObject({
    recharged: 0,
    steps: [
      { id: low.id, at: 50_000, goods: [{ kind: 'luong', quantity: 500 }], claimed: false },
      { id: high.id, at: 200_000, claimed: false },
    ],
    sentence: expect.stringContaining('Nạp đủ 50,000 VND nhận 500 lượng; 200,000 VND nhận 2,000 lượng.'),
  })
  const early = await take(player, low.id, character)
  expect([early.status, early.body]).toMatchObject([
    422,
    { code: 'MILESTONE_NOT_REACHED', message: 'Bạn còn thiếu 50,000 VND để đạt mốc này' },
  ])
  await recharges(player, 50_000)
  expect((await seen(player)).recharged).toBe(50_000)
  const before = await luongOf(desk.portal.db, character)
  const taken = await take(player, low.id, character)
  expect([taken.status, taken.body]).toMatchObject([200, { report: true, delivery: { status: 'pending' } }])
  await workOnce(desk.portal.deps)
  expect(await luongOf(desk.portal.db, character)).toBe(before + 500)
  expect((await take(player, low.id, character)).body.code).toBe('ALREADY_CLAIMED')
  expect((await take(player, high.id, character)).body.code).toBe('MILESTONE_NOT_REACHED')
  expect((await seen(player)).steps).toMatchObject([{ claimed: true }, { claimed: false }])
  expect((await take(player, '999999', character)).status).toBe(404)
})

test('of 64 claims at the same moment, from two processes and many addresses, one is given', async () => {
  const { steps } = await runningMilestones(desk.portal, { steps: [50_000] })
  const { player, character } = await aTaker(desk.portal)
  await recharges(player, 50_000)
  const other = await anotherProcess(desk.portal)
  try {
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const answer = await (index % 2 === 0 ? desk.portal.app : other.app).inject({
          method: 'POST',
          url: `/api/milestones/${steps[0]?.id}/claim`,
          headers: { authorization: `Bearer ${player.token}`, 'x-forwarded-for': anAddress() },
          payload: { character_id: character },
        })
        return answer.json<{ code?: string }>().code ?? 'given'
      }),
    )
    expect(answers.toSorted()).toEqual([...Array<string>(63).fill('ALREADY_CLAIMED'), 'given'])
  } finally {
    await other.close()
  }
  expect(await rewardsOf(player)).toHaveLength(1)
})

test('claims while the recharge is being taken back are before or after it', async () => {
  const { steps } = await runningMilestones(desk.portal, { steps: [50_000] })
  const step = steps[0]?.id ?? ''
  for (let round = 0; round < 4; round += 1) {
    const { player, character } = await aTaker(desk.portal)
    const transfer = await recharges(player, 50_000)
    const [reversed, ...claims] = await Promise.all([
      reverse(transfer),
      ...Array.from({ length: 16 }, () => take(player, step, character)),
    ])
    expect(reversed.status).toBe(200)
    const given = claims.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    const allowed =
      given.length === 1 ? ['ALREADY_CLAIMED', 'MILESTONE_NOT_REACHED'] : ['MILESTONE_NOT_REACHED']
    const refused = claims.flatMap(({ status, body }) => (status === 200 ? [] : [body.code as string]))
    expect(refused.filter((code) => !allowed.includes(code))).toEqual([])
    expect(await rewardsOf(player)).toHaveLength(given.length)
    expect((await seen(player)).recharged).toBe(0)
  }
})

test('a claim waits for a recharge that is being taken back, and then finds it gone', async () => {
  const { steps } = await runningMilestones(desk.portal, { steps: [50_000] })
  const { player, character } = await aTaker(desk.portal)
  const transfer = await recharges(player, 50_000)
  // Whoever takes it back holds the wallet and has not marked the transfer yet.
  const claim = await desk.portal.db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('ledger_account')
      .select('id')
      .where('id', '=', player.walletId)
      .forNoKeyUpdate()
      .execute()
    const waiting = take(player, steps[0]?.id ?? '', character)
    await oneWaits(desk.portal.db)
    await tx
      .updateTable('bank_transaction')
      .set({ state: 'review', transfer_id: null })
      .where('id', '=', transfer)
      .execute()
    return { waiting }
  })
  expect((await claim.waiting).body.code).toBe('MILESTONE_NOT_REACHED')
  await asOwner(
    desk.portal,
    `UPDATE bank_transaction SET state = 'credited', transfer_id = (
       SELECT id FROM ledger_transfer WHERE kind = 'recharge' AND source_id = $1::text) WHERE id = $1::text::bigint`,
    [transfer],
  )
})

test('a recharge that is taken back takes the progress back, and never goods', async () => {
  const { steps } = await runningMilestones(desk.portal, { steps: [50_000, 100_000] })
  const { player, character } = await aTaker(desk.portal)
  const transfer = await recharges(player, 50_000)
  expect((await take(player, steps[0]?.id ?? '', character)).status).toBe(200)
  await workOnce(desk.portal.deps)
  await reverse(transfer)
  expect(await seen(player)).toMatchObject({ recharged: 0, steps: [{ claimed: true }, { claimed: false }] })
  await recharges(player, 50_000)
  expect((await take(player, steps[0]?.id ?? '', character)).body.code).toBe('ALREADY_CLAIMED')
  expect((await take(player, steps[1]?.id ?? '', character)).body.code).toBe('MILESTONE_NOT_REACHED')
})

test('what was paid within the time counts, from its first second in Vietnam to its last', async () => {
  // Both of the past, so that the bank's notice may come now.
  const startsAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 7_200_000)
  const endsAt = new Date(startsAt.getTime() + 3_600_000)
  await runningMilestones(desk.portal, { startsAt, endsAt })
  const { player } = await aTaker(desk.portal)
  const paidAt = (moment: Date, ms: number) => ({
    transactionDate: vietnamTime(new Date(moment.getTime() + ms)),
  })
  await recharges(player, 10_000, paidAt(startsAt, -1_000))
  await recharges(player, 20_000, paidAt(startsAt, 0))
  await recharges(player, 40_000, paidAt(endsAt, -1_000))
  await recharges(player, 80_000, paidAt(endsAt, 0))
  expect((await seen(player)).recharged).toBe(60_000)
})

describe('the bell', () => {
  const HREF = '/milestones'
  /** The steps that the player was told about, the newest first. */
  const titlesOf = async (player: TestPlayer) =>
    (await noticesOf(desk.portal, player)).filter(({ href }) => href === HREF).map(({ title }) => title)
  const reached = (at: string) => `Bạn đã đạt mốc ${at} VND – nhận quà`

  test('tells of each step once, also when it is reached again after a reversal', async () => {
    await runningMilestones(desk.portal, { steps: [50_000, 80_000, 200_000] })
    const { player } = await aTaker(desk.portal)
    await recharges(player, 49_000)
    expect(await titlesOf(player)).toEqual([])
    const transfer = await recharges(player, 31_000)
    expect((await titlesOf(player)).toSorted()).toEqual([reached('50,000'), reached('80,000')])
    const notice = (await noticesOf(desk.portal, player)).find(({ href }) => href === HREF)
    expect(notice).toMatchObject({
      kind: 'recharge',
      text: expect.stringMatching(
        /^Chọn nhân vật nhận quà của mốc này trong “Mốc nạp .*”, đến .*20\d\d \d\d:\d\d\.$/,
      ),
    })
    await reverse(transfer)
    await desk.done(transfer, 'credit', { user_id: player.id })
    expect(await titlesOf(player)).toHaveLength(2)
    await recharges(player, 120_000)
    expect((await titlesOf(player))[0]).toBe(reached('200,000'))
    expect(await titlesOf(player)).toHaveLength(3)
  })

  test('tells nothing of a step that was reached before, nor to whoever does not want it', async () => {
    const [{ player }, { player: other }] = [await aTaker(desk.portal), await aTaker(desk.portal)]
    await stopMilestones(desk.portal)
    await recharges(player, 50_000)
    await runningMilestones(desk.portal)
    await recharges(player, 20_000)
    expect(await titlesOf(player)).toEqual([])
    await desk.portal.call('PUT', '/api/notices/preferences', {
      token: other.token,
      body: { recharge: { bell: false } },
    })
    await recharges(other, 50_000)
    expect(await titlesOf(other)).toEqual([])
  })

  test('tells nothing of money outside the time, of a programme that is stopped or over', async () => {
    const { player } = await aTaker(desk.portal)
    const hour = (count: number) => new Date(Date.now() + count * 3_600_000)
    const paidAt = (moment: Date) => ({ transactionDate: vietnamTime(moment) })
    await runningMilestones(desk.portal, { startsAt: hour(-3), endsAt: hour(-2) })
    await recharges(player, 50_000, paidAt(hour(-4)))
    await recharges(player, 50_000, paidAt(hour(-1)))
    await runningMilestones(desk.portal, { startsAt: hour(-3), endsAt: hour(-2), claimsUntil: hour(-1) })
    await recharges(player, 50_000, paidAt(hour(-2.5)))
    await runningMilestones(desk.portal)
    await stopMilestones(desk.portal)
    await recharges(player, 50_000)
    expect(await titlesOf(player)).toEqual([])
  })

  test('of money that is credited, reads no growing table from end to end', async () => {
    const { player } = await aTaker(desk.portal)
    const planner = await openPlanner(desk.portal)
    try {
      await planner.owner.query(AS_IF_LARGE)
      const found = stepsReachedBy({ userId: player.id, amount: 50_000, bookedAt: new Date() }, new Date())
      const { nodes } = await planner.plansOf(() => found.execute(planner.db))
      expect(readWhole(nodes, /bank_transaction/)).toEqual([])
    } finally {
      await planner.close()
    }
  })
})

test('goods that the game refused may be taken again, also after the time, until the last moment for it', async () => {
  const { id, steps } = await runningMilestones(desk.portal, {
    steps: [50_000],
    endsAt: new Date(Date.now() + 60_000),
  })
  const { player, character } = await aTaker(desk.portal)
  await recharges(player, 50_000)
  const step = steps[0]?.id ?? ''
  const first = await take(player, step, character)
  await asOwner(desk.portal, `UPDATE delivery SET character_id = 'gone' WHERE id = $1`, [
    first.body.delivery.id,
  ])
  await workOnce(desk.portal.deps)
  expect((await seen(player)).steps[0].claimed).toBe(false)
  const ends = (column: string) =>
    asOwner(
      desk.portal,
      `UPDATE milestone_program SET ${column} = now() - interval '1 second' WHERE id = $1`,
      [id],
    )
  await asOwner(
    desk.portal,
    `UPDATE bank_transaction SET booked_at = now() - interval '1 minute' WHERE user_id = $1`,
    [player.id],
  )
  await ends('ends_at')
  const again = await take(player, step, character)
  expect(again.status).toBe(200)
  await asOwner(desk.portal, `UPDATE delivery SET character_id = 'gone' WHERE id = $1`, [
    again.body.delivery.id,
  ])
  await workOnce(desk.portal.deps)
  await asOwner(
    desk.portal,
    `UPDATE milestone_program SET ends_at = now() - interval '2 seconds' WHERE id = $1`,
    [id],
  )
  await ends('claims_until')
  expect((await take(player, step, character)).status).toBe(404)
  expect(await seen(player)).toBeNull()
})

test('who is not activated or banned is refused', async () => {
  const { steps } = await runningMilestones(desk.portal, { steps: [50_000] })
  const idle = await aTaker(desk.portal, {})
  await recharges(idle.player, 50_000)
  expect((await take(idle.player, steps[0]?.id ?? '', idle.character)).body.code).toBe('NOT_ACTIVATED')
  await ban(desk.portal, idle.player)
  expect((await take(idle.player, steps[0]?.id ?? '', idle.character)).body.code).toBe('BANNED')
})

describe('a programme', () => {
  const act = (path: string, body: object = {}, by = desk.owner) =>
    desk.portal.call('POST', `/api/operator/milestones${path}`, {
      token: by.token,
      body: { reason: REASON, ...body },
    })
  const terms = (change: object = {}) => ({
    title: 'Mốc nạp tuần',
    starts_at: inHours(-1),
    ends_at: inHours(24),
    claims_until: inHours(48),
    steps: [{ at: 100_000, goods: [{ kind: 'luong', quantity: 1_000 }] }],
    ...change,
  })
  const planned = async (change: object = {}) => {
    const { status, body } = await act('', terms(change))
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id as string
  }
  const approve = (id: string) =>
    desk.portal.call('POST', `/api/operator/proposals/${id}/approve`, {
      token: desk.secondOwner.token,
      body: { reason: REASON },
    })

  test('gives nothing until another owner agrees, and nothing once it is stopped', async () => {
    const running = await runningMilestones(desk.portal)
    const { player, character } = await aTaker(desk.portal)
    await recharges(player, 50_000)
    expect((await act(`/${running.id}/stop`)).body.state).toBe('stopped')
    expect(await seen()).toBeNull()
    expect((await take(player, running.steps[0]?.id ?? '', character)).status).toBe(404)
    const id = await planned()
    const waiting = await act(`/${id}/start`)
    expect(waiting).toMatchObject({
      status: 202,
      body: { proposal: { kind: 'milestones', subject: id, subject_name: 'Mốc nạp tuần' } },
    })
    expect(await seen()).toBeNull()
    expect((await approve(waiting.body.proposal.id)).status).toBe(200)
    expect(await seen()).toMatchObject({ id, title: 'Mốc nạp tuần' })
    expect((await act(`/${id}/start`)).body.code).toBe('CONFLICT')
    expect((await act(`/${id}/stop`)).status).toBe(200)
    expect((await act(`/${id}/stop`)).body.code).toBe('CONFLICT')
    expect(await seen()).toBeNull()
  })

  test('is not started while another one runs within its time, now or when it is approved', async () => {
    const id = await planned()
    const { body } = await act(`/${id}/start`)
    await runningMilestones(desk.portal)
    expect((await act(`/${await planned()}/start`)).body.code).toBe('CONFLICT')
    expect((await approve(body.proposal.id)).body.code).toBe('CONFLICT')
    const later = await planned({ starts_at: inHours(3), ends_at: inHours(4) })
    expect((await act(`/${later}/start`)).status).toBe(202)
  })

  test('is not started after its end, now or when it is approved', async () => {
    const pass = (id: string) =>
      asOwner(
        desk.portal,
        `UPDATE milestone_program SET starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second',
            claims_until = now() - interval '1 second' WHERE id = $1`,
        [id],
      )
    // No other one runs within that time.
    const free = { starts_at: inHours(72), ends_at: inHours(73), claims_until: inHours(74) }
    const [late, approved] = [await planned(free), await planned(free)]
    const { body } = await act(`/${approved}/start`)
    await Promise.all([pass(late), pass(approved)])
    expect((await act(`/${late}/start`)).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Thời gian của chương trình này đã qua hết',
    })
    expect((await approve(body.proposal.id)).body.code).toBe('CONFLICT')
  })

  test('of two that are approved at the same moment for the same time one runs', async () => {
    const ids = await Promise.all([planned(), planned()])
    await asOwner(
      desk.portal,
      `UPDATE milestone_program SET state = 'stopped', stopped_at = now(), stopped_by = made_by WHERE state = 'running'`,
    )
    const waiting = await Promise.all(ids.map((id) => act(`/${id}/start`)))
    const answers = await Promise.all(waiting.map(({ body }) => approve(body.proposal.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  const luong = (quantity: number) => [{ kind: 'luong', quantity }]
  test.for([
    [{ title: '' }, 'title'],
    [{ ends_at: inHours(-1.5) }, 'ends_at'],
    [{ starts_at: inHours(-3), ends_at: inHours(-2) }, 'ends_at'],
    [{ claims_until: inHours(23) }, 'claims_until'],
    [{ steps: [] }, 'steps'],
    [{ steps: Array.from({ length: 32 }, (_, at) => ({ at: 1_000 * (at + 1), goods: luong(1) })) }, 'steps'],
    [
      {
        steps: [
          { at: 5_000, goods: luong(1) },
          { at: 5_000, goods: luong(2) },
        ],
      },
      'steps',
    ],
    [{ steps: [{ at: 5_000, goods: [] }] }, 'steps.0.goods'],
    [{ steps: [{ at: 5_000, goods: luong(0) }] }, 'steps.0.goods.0'],
  ] as const)('with %o is refused beside %s', async ([change, field]) => {
    const answer = await act('', terms(change))
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors).some((name) => name.startsWith(field))).toBe(true)
  })

  test('is for those who may change prices', async () => {
    expect((await act('', terms(), desk.cashier)).status).toBe(403)
  })
})
