import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Budget } from '#contract/operator/promotions.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { aBudget, onBudgets } from '#tests/support/budgets.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer } from '#tests/support/players.ts'
import { runningPromotion } from '#tests/support/promotions.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const portal = useTestApp()
const { owner, second, cashier } = useOperators(portal, {
  owner: 'owner',
  second: 'owner',
  cashier: 'cashier',
})
let budget: Budget
beforeEach(async () => {
  // What one operator gives in a day counts for all tests.
  await asOwner(portal, 'DELETE FROM limited_act')
  budget = await aBudget(portal, owner)
})
afterEach(() => expectReconciled(portal))

const LIMIT = 1_000_000
const fund = (amount: number, by = owner) => onBudgets(portal, by, `/${budget.id}/fund`, { amount })
const read = (by = owner) => onBudgets(portal, by, `?filter=${JSON.stringify({ id: budget.id })}`)
const now = async (): Promise<Budget> => (await read()).body[0]
const decide = (id: string, act: 'approve' | 'reject') =>
  portal.call('POST', `/api/operator/proposals/${id}/${act}`, {
    token: second.token,
    body: { reason: 'Đã kiểm tra' },
  })

describe('a budget', () => {
  test('is empty at first, and has one ledger account of its own that may not be overdrawn', async () => {
    expect(await now()).toMatchObject({ funded: 0, balance: 0, given: 0, made_by: { id: owner.id } })
    const { rows } = await sql<object>`
      SELECT a.kind, a.may_overdraw, a.stripe, a.id = 9000000000010000 + b.id AS is_numbered
        FROM budget b JOIN ledger_account a ON a.id = b.account_id WHERE b.id = ${budget.id}`.execute(
      portal.db,
    )
    expect(rows).toEqual([{ kind: 'budget', may_overdraw: false, stripe: 0, is_numbered: true }])
  })

  test('has a title that no other has, in whatever case', async () => {
    const again = await onBudgets(portal, owner, '', { title: budget.title.toUpperCase() })
    expect(again).toMatchObject({ status: 422, body: { errors: { title: expect.any(Array) } } })
  })

  test('is made and funded by those alone who may change money settings', async () => {
    expect((await onBudgets(portal, cashier, '', { title: 'Của thủ quỹ' })).status).toBe(403)
    expect((await fund(1_000, cashier)).status).toBe(403)
    expect((await read(cashier)).body).toMatchObject([{ id: budget.id }])
  })

  test('that is not there is not found', async () => {
    expect((await onBudgets(portal, owner, '/999999/fund', { amount: 5 })).status).toBe(404)
  })
})

describe('funding', () => {
  test('moves TCoin from the account of promotions, which may be overdrawn; the ledger and the trail have it', async () => {
    expect(await fund(400_000)).toMatchObject({
      status: 200,
      body: { budget: { funded: 400_000, balance: 400_000, given: 0 } },
    })
    const listed = await portal.call(
      'GET',
      `/api/operator/ledger-transfers?filter=${JSON.stringify({ budget: budget.id })}`,
      { token: owner.token },
    )
    expect(listed.body).toMatchObject([
      { kind: 'budget', amount: 400_000, debit: { kind: 'promotion' }, credit: { kind: 'budget' } },
    ])
    const shown = await portal.call('GET', `/api/operator/ledger-transfers/${listed.body[0].id}`, {
      token: owner.token,
    })
    expect(shown.body.entries[1]).toMatchObject({ stripe: null, whole_balance: 400_000 })
    const rows = await trailRows(portal, { subject: { type: 'budget', id: budget.id } })
    expect(rows.at(-1)).toMatchObject({
      action: 'budgets.fund',
      details: { amount: 400_000, before: { balance: 0 }, after: { balance: 400_000 } },
    })
  })

  test('takes back what is left, and no more than that', async () => {
    await fund(300_000)
    expect((await fund(-100_000)).body).toMatchObject({ budget: { funded: 200_000, balance: 200_000 } })
    expect(await fund(-200_001)).toMatchObject({
      status: 422,
      body: { errors: { amount: expect.any(Array) } },
    })
    expect(await now()).toMatchObject({ funded: 200_000, balance: 200_000 })
  })

  test.for([0, 1.5, 9e15 + 1, '5'])('refuses %s beside the field', async (amount) => {
    const answer = await onBudgets(portal, owner, `/${budget.id}/fund`, { amount })
    expect(answer).toMatchObject({ status: 422, body: { errors: { amount: expect.any(Array) } } })
  })

  test('above the limit of a day waits for a second person', async () => {
    expect((await fund(LIMIT)).status).toBe(200)
    const waiting = await fund(1)
    expect(waiting).toMatchObject({
      status: 202,
      body: { proposal: { kind: 'budget', subject: budget.id, subject_name: budget.title } },
    })
    expect(await now()).toMatchObject({ balance: LIMIT })
    expect((await decide(waiting.body.proposal.id, 'approve')).status).toBe(200)
    expect(await now()).toMatchObject({ balance: LIMIT + 1, funded: LIMIT + 1 })
  })

  test('that was approved too late to be taken back is outdated', async () => {
    await fund(LIMIT)
    const waiting = await fund(-LIMIT)
    expect(waiting.status).toBe(202)
    await promise(budget, 1)
    expect((await decide(waiting.body.proposal.id, 'approve')).body.code).toBe('CONFLICT')
    expect((await decide(waiting.body.proposal.id, 'reject')).status).toBe(200)
    expect(await now()).toMatchObject({ funded: LIMIT, balance: LIMIT - 1, held: 1, given: 0 })
  })

  test('of 32 that take back everything at once, one does', async () => {
    await fund(30_000)
    const answers = await Promise.all(Array.from({ length: 32 }, () => fund(-30_000)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(31)
    expect(await now()).toMatchObject({ funded: 0, balance: 0 })
  })
})

/** Promises an order so much out of the budget. */
async function promise(of: Budget, amount: number): Promise<void> {
  await openAccounts(portal)
  await runningPromotion(portal, { budgetId: of.id, kind: 'fixed', amount })
  const { bonus } = await anOrder(portal, await aPlayer(portal, { isActivated: true }))
  expect(bonus).toMatchObject({ amount })
}

test('a budget is no stripe of an account of the house, whatever its number', async () => {
  const { rows } = await sql<{ found: number }>`
    SELECT count(*)::integer AS found FROM generate_series(0, 999) AS n, unnest(ARRAY[1, 2, 9]) AS house
     WHERE ledger_is_stripe_of(9000000000010000 + n, 9000000000000000 + house)`.execute(portal.db)
  expect(rows).toEqual([{ found: 0 }])
})
