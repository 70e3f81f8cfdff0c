import { afterEach, describe, expect, test } from 'vitest'
import { bonusFor } from '#contract/promotion-rules.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, aNotification, deliver, openAccounts } from '#tests/support/bank.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer } from '#tests/support/players.ts'
import { fundedBudget, promotionFields, stopPromotions } from '#tests/support/promotions.ts'
import { inHours } from '#tests/support/settings.ts'
import { onBudgets } from '#tests/support/budgets.ts'

const portal = useTestApp()
const { owner, second, cashier } = useOperators(portal, {
  owner: 'owner',
  second: 'owner',
  cashier: 'cashier',
})
afterEach(async () => {
  await stopPromotions(portal)
  await expectReconciled(portal)
})

const reason = 'Khuyến mãi cuối tuần'
const act = (path: string, body: object, by = owner) =>
  portal.call('POST', `/api/operator/promotions${path}`, { token: by.token, body: { reason, ...body } })
const terms = async (change: object = {}) =>
  promotionFields({ budget_id: await fundedBudget(portal, 1_000_000), ...change })
const planned = async (change: object = {}) => {
  const answer = await act('', await terms(change))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const listed = async (id: string) => {
  const filter = JSON.stringify({ id })
  const query = `/api/operator/promotions?filter=${filter}`
  return (await portal.call('GET', query, { token: owner.token })).body[0]
}
const approve = (id: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/approve`, { token: second.token, body: { reason } })

describe('a promotion', () => {
  test('promises nothing until another owner agrees, and nothing new once it is stopped', async () => {
    await openAccounts(portal)
    const player = await aPlayer(portal, { isActivated: true })
    // So little that its budget still holds it when it is started again.
    const { id } = await planned({ cap_total: 900_000 })
    expect((await anOrder(portal, player)).bonus).toBeNull()
    const waiting = await act(`/${id}/start`, {})
    expect(waiting).toMatchObject({
      status: 202,
      body: { proposal: { kind: 'promotion', subject: id, subject_name: 'Cuối tuần' } },
    })
    expect((await anOrder(portal, player)).bonus).toBeNull()
    expect((await approve(waiting.body.proposal.id)).status).toBe(200)
    const order = await anOrder(portal, player)
    expect(order.bonus).toMatchObject({ amount: 10_000 })
    expect((await act(`/${id}/stop`, {})).body).toMatchObject({ state: 'stopped', held: 10_000, players: 1 })
    expect((await act(`/${id}/stop`, {})).body.code).toBe('CONFLICT')
    expect((await act(`/${id}/start`, {})).body.code).toBe('CONFLICT')
    await deliver(portal, aNotification({ content: order.code }))
    expect(await listed(id)).toMatchObject({ given: 10_000, held: 0, orders: 1, players: 1 })
  })

  test('is not started when its budget holds less than its cap, now or when it is approved', async () => {
    const poor = await planned({ cap_total: 1_000_001 })
    expect((await act(`/${poor.id}/start`, {})).body).toMatchObject({ code: 'CONFLICT' })
    const { id, budget_id } = await planned()
    const waiting = await act(`/${id}/start`, {})
    expect((await onBudgets(portal, owner, `/${budget_id}/fund`, { amount: -1 })).status).toBe(200)
    expect((await approve(waiting.body.proposal.id)).body.code).toBe('CONFLICT')
    expect((await listed(id)).state).toBe('planned')
  })

  test('is not started after its end', async () => {
    const { id } = await planned()
    await asOwner(
      portal,
      `UPDATE promotion SET starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    )
    expect((await act(`/${id}/start`, {})).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Thời gian của khuyến mãi này đã qua hết',
    })
  })

  test.for([
    [{ percent: null }, 'percent'],
    [{ percent: 101 }, 'percent'],
    [{ kind: 'fixed', percent: null }, 'amount'],
    [{ kind: 'steps', percent: null }, 'steps'],
    [{ kind: 'steps', percent: null, steps: [] }, 'steps'],
    [
      {
        kind: 'steps',
        percent: null,
        steps: [
          { from: 5, amount: 1 },
          { from: 5, amount: 2 },
        ],
      },
      'steps',
    ],
    [{ kind: 'steps', percent: null, steps: [{ from: 5, amount: 1 }], minimum: 5 }, 'minimum'],
    [{ ends_at: inHours(-1) }, 'ends_at'],
    [{ starts_at: inHours(-3), ends_at: inHours(-1) }, 'ends_at'],
    [{ cap_total: 99_999 }, 'cap_total'],
    [{ cap_per_player: 0 }, 'cap_per_player'],
    [{ channel: 9 }, 'channel'],
    [{ budget_id: '999999' }, 'budget_id'],
    [{ title: '' }, 'title'],
  ] as const)('with %o is refused beside %s', async ([change, field]) => {
    const answer = await act('', await terms(change))
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toContain(field)
  })

  test('is for those who may change prices', async () => {
    expect((await act('', await terms(), cashier)).status).toBe(403)
    expect((await act('/preview', await terms(), cashier)).status).toBe(403)
  })
})

describe('a dry run', () => {
  test.for([
    { kind: 'percent', percent: 33, minimum: 40_000 },
    { kind: 'fixed', percent: null, amount: 7_000, minimum: 40_000 },
    {
      kind: 'steps',
      percent: null,
      steps: [
        { from: 30_000, amount: 1_000 },
        { from: 60_000, amount: 5_000 },
      ],
    },
  ])('of $kind says what the rule would have given for the recharges of 90 days', async (change) => {
    await openAccounts(portal)
    const before = (await act('/preview', await terms({ ...change, cap_total: 900_000_000 }))).body.cost
    const amounts = [20_000, 40_000, 61_237, 90_000]
    const player = await aPlayer(portal)
    for (const amount of amounts) {
      const { code } = await anOrder(portal, player, { amount })
      await deliver(portal, aNotification({ content: code, transferAmount: amount }))
    }
    const body = await terms({ ...change, cap_per_player: 20_000, cap_total: 900_000_000 })
    const { cost, sentence } = (await act('/preview', body)).body
    const whole = amounts.map((amount) => bonusFor(body as never, amount, 1))
    const sum = whole.reduce((one, other) => one + other, 0)
    expect(cost.orders - before.orders).toBe(whole.filter((one) => one > 0).length)
    expect(cost.players - before.players).toBe(1)
    const first = { ...body, cap_per_player: 900_000_000 }
    const uncapped = (await act('/preview', first)).body.cost.coins
    const capped = cost.coins
    expect(uncapped - capped).toBeGreaterThanOrEqual(Math.max(0, sum - 20_000))
    expect(sentence).toContain('tối đa 20,000 TCoin mỗi người')
  })
})
