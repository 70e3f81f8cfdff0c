import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { termsInWords } from '#contract/operator/proposal-terms.ts'
import { useTestApp } from '#tests/support/app.ts'
import { onBudgets } from '#tests/support/budgets.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { fundedBudget, promotionFields, stopPromotions } from '#tests/support/promotions.ts'
import { changeSettings, readSetting } from '#tests/support/settings.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { takeEffect } from './proposals.service.ts'

const portal = useTestApp()
const { owner, second, cashier } = useOperators(portal, {
  owner: 'owner',
  second: 'owner',
  cashier: 'cashier',
})
beforeEach(() => asOwner(portal, 'DELETE FROM limited_act'))
afterEach(async () => {
  await stopPromotions(portal)
  await asOwner(portal, `UPDATE proposal SET state = 'outdated', decided_at = now() WHERE state = 'waiting'`)
  await expectReconciled(portal)
})

const reason = 'Khuyến mãi cuối tuần'
const CAP = 500_000
const call = (method: 'POST' | 'PUT', path: string, body: object, { by = owner, key = randomUUID() } = {}) =>
  portal.call(method, `/api/operator/${path}`, { token: by.token, body: { reason, ...body }, key })
const fields = (change: object = {}) =>
  promotionFields({ title: `Cuối tuần ${randomUUID()}`, cap_total: CAP, ...change })
/** With a new budget, proposed as one. */
const wholePlan = (change: object = {}) => {
  const terms = fields(change)
  return { ...terms, new_budget: terms.title, start: true, funding: CAP, ...change }
}
const decide = (id: string, act: string, by = second) => call('POST', `proposals/${id}/${act}`, {}, { by })
const promotion = async (id: string) =>
  (
    await portal.call('GET', `/api/operator/promotions?filter=${JSON.stringify({ id })}`, {
      token: owner.token,
    })
  ).body[0]
const budgetOf = async (id: string) => {
  const { budget_id } = await promotion(id)
  return (await onBudgets(portal, owner, `?filter=${JSON.stringify({ id: budget_id })}`)).body[0]
}
const counts = async () => {
  const one = await portal.db
    .selectFrom('budget')
    .select(({ fn }) => fn.countAll<string>().as('budgets'))
    .executeTakeFirstOrThrow()
  const other = await portal.db
    .selectFrom('promotion')
    .select(({ fn }) => fn.countAll<string>().as('promotions'))
    .executeTakeFirstOrThrow()
  return { ...one, ...other }
}

describe('a promotion that is planned with its budget and its start', () => {
  test('is one proposal, which does nothing before it is approved and everything when it is', async () => {
    const plan = wholePlan()
    const waiting = await call('POST', 'promotions', plan)
    expect(waiting).toMatchObject({ status: 202, body: { proposal: { kind: 'promotion' } } })
    const { proposal } = waiting.body
    const { budget_id } = await promotion(proposal.subject)
    expect(proposal.parts).toEqual([
      { kind: 'budget', subject: budget_id, payload: { before: '', after: String(CAP) } },
    ])
    expect(await promotion(proposal.subject)).toMatchObject({ state: 'planned', proposal_id: proposal.id })
    expect(await budgetOf(proposal.subject)).toMatchObject({ title: plan.title, balance: 0, funded: 0 })
    const said = proposal.terms.lines.map(({ label, after }: { label: string; after: string }) => [
      label,
      after,
    ])
    expect(said).toContainEqual(['Thay đổi', '+500,000 TCoin'])
    expect(said).toContainEqual(['Ngân sách', plan.title])
    expect(proposal.terms.worst).toContain('500,000 TCoin ≈ 500,000 đ')

    expect((await decide(proposal.id, 'approve')).status).toBe(200)
    expect(await promotion(proposal.subject)).toMatchObject({ state: 'running', proposal_id: null })
    expect(await budgetOf(proposal.subject)).toMatchObject({ balance: CAP, funded: CAP })
    const trail = async (type: string, id: string) =>
      (await trailRows(portal, { subject: { type, id } })).map(({ action }) => action)
    expect(await trail('promotion', proposal.subject)).toEqual([
      'proposals.propose',
      'promotions.plan',
      'proposals.approve',
    ])
    expect(await trail('budget', budget_id)).toEqual([
      'proposals.propose',
      'budgets.create',
      'proposals.approve',
    ])
  })

  test('comes once for its key, and not at all where its proposal is refused', async () => {
    const before = await counts()
    const [plan, key] = [wholePlan(), randomUUID()]
    const [once, again] = [
      await call('POST', 'promotions', plan, { key }),
      await call('POST', 'promotions', plan, { key }),
    ]
    expect(again.body).toEqual(once.body)
    expect(await counts()).toEqual({
      budgets: String(Number(before.budgets) + 1),
      promotions: String(Number(before.promotions) + 1),
    })
    const { proposal } = once.body
    expect((await decide(proposal.id, 'reject')).status).toBe(200)
    expect((await decide(proposal.id, 'approve')).status).toBe(409)
    expect(await promotion(proposal.subject)).toMatchObject({ state: 'planned', proposal_id: null })
    expect(await budgetOf(proposal.subject)).toMatchObject({ balance: 0, funded: 0 })
  })

  test('leaves nothing behind where any part of it is refused', async () => {
    const before = await counts()
    for (const [change, status] of [
      [{ funding: CAP - 1 }, 409],
      [{ funding: CAP, start: false }, 422],
      [{ new_budget: undefined }, 422],
      [{ budget_id: '1' }, 422],
      [{ percent: null }, 422],
    ] as const)
      expect([change, (await call('POST', 'promotions', wholePlan(change))).status]).toEqual([change, status])
    const taken = await call('POST', 'promotions', wholePlan({ start: false, funding: undefined }))
    expect(taken.status).toBe(201)
    const twin = await call('POST', 'promotions', wholePlan({ new_budget: taken.body.budget_title }))
    expect(twin).toMatchObject({ status: 422, body: { errors: { new_budget: expect.any(Array) } } })
    expect(await counts()).toEqual({
      budgets: String(Number(before.budgets) + 1),
      promotions: String(Number(before.promotions) + 1),
    })
  })

  test('is approved by nobody who may not fill a budget, and not by its proposer', async () => {
    const { proposal } = (await call('POST', 'promotions', wholePlan())).body
    expect((await decide(proposal.id, 'approve', owner)).status).toBe(409)
    expect((await decide(proposal.id, 'approve', cashier)).status).toBe(403)
    expect(await promotion(proposal.subject)).toMatchObject({ state: 'planned' })
  })

  test('is not filled where it cannot be started any more, whoever lets it be done', async () => {
    const { proposal } = (await call('POST', 'promotions', wholePlan())).body
    await asOwner(
      portal,
      `UPDATE promotion SET starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second' WHERE id = $1`,
      [proposal.subject],
    )
    expect((await decide(proposal.id, 'approve')).status).toBe(409)
    expect(await budgetOf(proposal.subject)).toMatchObject({ balance: 0 })
    await asOwner(portal, 'UPDATE proposal SET takes_effect_at = now() WHERE id = $1', [proposal.id])
    expect(await takeEffect(portal.deps)).toBe(true)
    expect(await budgetOf(proposal.subject)).toMatchObject({ balance: 0, funded: 0 })
    const listed = await portal.call('GET', `/api/operator/proposals?filter={"id":${proposal.id}}`, {
      token: owner.token,
    })
    expect(listed.body).toMatchObject([{ state: 'outdated', decided_at: expect.any(String) }])
  })
})

test('a proposal is approved by those alone who may do each of its parts', async () => {
  const budget = await fundedBudget(portal, 0)
  await asOwner(
    portal,
    `INSERT INTO proposal (kind, subject, payload, reason, proposed_by)
     VALUES ('give-again', '999999', jsonb_build_object('before', '', 'after', '1', 'parts', jsonb_build_array(
       jsonb_build_object('kind', 'budget', 'subject', $1::text, 'payload', jsonb_build_object('before', '', 'after', '5')))), 'Thử', $2)`,
    [budget, owner.id],
  )
  const { id } = await portal.db
    .selectFrom('proposal')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect((await decide(id, 'approve', cashier)).status).toBe(403)
  expect((await decide(id, 'reject', cashier)).status).toBe(200)
})

test('a planned promotion is started together with what its budget lacks', async () => {
  const planned = await call('POST', 'promotions', fields({ budget_id: await fundedBudget(portal, 100_000) }))
  expect((await call('POST', `promotions/${planned.body.id}/start`, {})).status).toBe(409)
  const waiting = await call('POST', `promotions/${planned.body.id}/start`, { funding: 400_000 })
  expect(waiting.status).toBe(202)
  expect((await decide(waiting.body.proposal.id, 'approve')).status).toBe(200)
  expect(await budgetOf(planned.body.id)).toMatchObject({ balance: CAP })
})

describe('an edit', () => {
  const planned = async (change: object = {}) =>
    (await call('POST', 'promotions', fields({ budget_id: await fundedBudget(portal, CAP), ...change }))).body
  const edit = (row: { id: string; updated_at: string; budget_id: string }, change: object, by = owner) =>
    call(
      'PUT',
      `promotions/${row.id}`,
      { ...fields(), budget_id: row.budget_id, updated_at: row.updated_at, ...change },
      { by },
    )

  test('changes every term of a promotion that was never started, and the trail has both sides', async () => {
    const row = await planned()
    const change = { percent: 35, cap_per_player: 7_000, channel: 2, minimum: 50_000 }
    expect(await edit(row, change)).toMatchObject({ status: 200, body: change })
    const trail = await trailRows(portal, { subject: { type: 'promotion', id: row.id } })
    expect(trail.at(-1)).toMatchObject({
      action: 'promotions.update',
      details: { before: { percent: 20, channel: null }, after: { percent: 35, channel: 2 } },
    })
  })

  test('based on terms that somebody else has changed since is refused with the present ones', async () => {
    const row = await planned()
    expect((await edit(row, { percent: 30 }, second)).status).toBe(200)
    expect(await edit(row, { percent: 40 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', present: { promotion: { percent: 30 } } },
    })
    expect(await promotion(row.id)).toMatchObject({ percent: 30 })
  })

  test('closes the proposal that waits: nobody approves terms that they were not shown', async () => {
    const row = await planned()
    const { proposal } = (await call('POST', `promotions/${row.id}/start`, {})).body
    expect((await edit(row, { percent: 90 })).body).toMatchObject({ proposal_id: null })
    expect((await decide(proposal.id, 'approve')).status).toBe(409)
    expect(await promotion(row.id)).toMatchObject({ state: 'planned', percent: 90 })
    const trail = await trailRows(portal, { subject: { type: 'promotion', id: row.id } })
    expect(trail.map(({ action }) => action)).toContain('proposals.outdate')
    expect((await call('POST', `promotions/${row.id}/start`, {})).status).toBe(202)
  })

  test('at the moment of the approval comes before it or not at all', async () => {
    for (let round = 0; round < 8; round += 1) {
      const row = await planned()
      const { proposal } = (await call('POST', `promotions/${row.id}/start`, {})).body
      const [edited, approved] = await Promise.all([
        edit(row, { percent: 90 }),
        decide(proposal.id, 'approve'),
      ])
      expect([edited.status, approved.status].toSorted()).toEqual([200, 409])
      expect(await promotion(row.id)).toMatchObject(
        edited.status === 200 ? { state: 'planned', percent: 90 } : { state: 'running', percent: 20 },
      )
    }
  })

  test('of a promotion that runs or was stopped is refused', async () => {
    const row = await planned()
    const { proposal } = (await call('POST', `promotions/${row.id}/start`, {})).body
    await decide(proposal.id, 'approve')
    expect(await edit(row, { percent: 90 })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await call('POST', `promotions/${row.id}/stop`, {})
    expect((await edit(row, { percent: 90 })).status).toBe(409)
    expect(await promotion(row.id)).toMatchObject({ percent: 20 })
  })
})

test('the terms of the reward for invitations are one proposal: all of them come, or none', async () => {
  const values = { invitation_enabled: '1', invitation_inviter: '7000', invitation_invited: '6000' }
  const texts = async () =>
    Promise.all(Object.keys(values).map(async (key) => (await readSetting(portal, owner.token, key)).value))
  const propose = async () => {
    const { proposals } = (await changeSettings(portal, { token: owner.token, values })).body
    expect(proposals).toHaveLength(1)
    return proposals[0]
  }
  const refused = await propose()
  expect((await decide(refused.id, 'reject')).status).toBe(200)
  expect(await texts()).toEqual(['0', '5000', '5000'])
  const { id, terms } = await propose()
  expect(termsInWords(terms).join('\n')).toContain('Thưởng cho người được mời (TCoin): 5,000 → 6,000')
  expect((await decide(id, 'approve')).status).toBe(200)
  expect(await texts()).toEqual(Object.values(values))
})
