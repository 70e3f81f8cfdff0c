import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { onBudgets } from '#tests/support/budgets.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { inHours } from '#tests/support/settings.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const portal = useTestApp()
const { owner, second } = useOperators(portal, { owner: 'owner', second: 'owner' })
afterEach(() => expectReconciled(portal))

const reason = 'Mùa lễ hội'
const call = (method: 'POST' | 'PUT', path: string, body: object, by = owner) =>
  portal.call(method, `/api/operator/${path}`, {
    token: by.token,
    body: { reason, ...body },
    key: randomUUID(),
  })
const decide = (id: string, act: string) => call('POST', `proposals/${id}/${act}`, {}, second)
const read = async (path: string, id: string) =>
  (await portal.call('GET', `/api/operator/${path}?filter=${JSON.stringify({ id })}`, { token: owner.token }))
    .body[0]

const batch = (change: object = {}) => ({
  title: 'Mã Tết',
  coins: 500,
  budget_id: null,
  goods: null,
  starts_at: inHours(0),
  ends_at: inHours(24),
  codes: 2,
  uses_per_code: 1,
  per_player: 1,
  server_id: null,
  ...change,
})

test('a batch of codes is proposed with its new budget as one, and holds its cost once that is approved', async () => {
  const made = await call(
    'POST',
    'gift-code-batches',
    batch({ new_budget: 'Quà Tết', start: true, funding: 1_000 }),
  )
  expect(made).toMatchObject({ status: 202, body: { csv: expect.any(String), batch: { state: 'planned' } } })
  const { proposal } = made.body
  const { budget_id } = made.body.batch
  expect(proposal.parts).toMatchObject([{ kind: 'budget', subject: budget_id }])
  expect((await decide(proposal.id, 'approve')).status).toBe(200)
  expect(await read('gift-code-batches', proposal.subject)).toMatchObject({ state: 'running', held: 1_000 })
  const [budget] = (await onBudgets(portal, owner, `?filter=${JSON.stringify({ id: budget_id })}`)).body
  expect(budget).toMatchObject({ funded: 1_000, balance: 0, held: 1_000 })
})

test('the terms of a batch change until it is started; its codes stay', async () => {
  const { body } = await call('POST', 'gift-code-batches', batch({ new_budget: 'Quà hè' }))
  const { id, budget_id, updated_at } = body.batch
  const waiting = await call('POST', `gift-code-batches/${id}/start`, { funding: 1_000 })
  const {
    codes: _,
    uses_per_code: __,
    ...terms
  } = batch({ coins: 700, per_player: 2, budget_id, updated_at })
  expect(await call('PUT', `gift-code-batches/${id}`, terms)).toMatchObject({
    status: 200,
    body: { coins: 700, per_player: 2, codes: 2, uses_per_code: 1, proposal_id: null },
  })
  expect((await decide(waiting.body.proposal.id, 'approve')).status).toBe(409)
  expect(await read('gift-code-batches', id)).toMatchObject({ state: 'planned', held: 0 })
  expect((await call('PUT', `gift-code-batches/${id}`, terms)).status).toBe(409)
  const anew = (await read('gift-code-batches', id)).updated_at
  const tooMuch = await call('PUT', `gift-code-batches/${id}`, { ...terms, coins: 9e15, updated_at: anew })
  expect(tooMuch).toMatchObject({ status: 422, body: { errors: { coins: expect.any(Array) } } })
  expect(
    (await trailRows(portal, { subject: { type: 'gift-codes', id } })).map(({ action }) => action),
  ).toEqual(['gift-codes.make', 'proposals.propose', 'gift-codes.update', 'proposals.outdate'])
})

const program = (change: object = {}) => ({
  title: 'Mốc nạp tuần',
  starts_at: inHours(0),
  ends_at: inHours(24),
  claims_until: inHours(48),
  steps: [{ at: 100_000, goods: [{ kind: 'luong', quantity: 500 }] }],
  ...change,
})

test('a programme of milestones is proposed with its plan, and its terms change until it is started', async () => {
  const waiting = await call('POST', 'milestones', program({ start: true }))
  expect(waiting).toMatchObject({ status: 202, body: { proposal: { kind: 'milestones', parts: [] } } })
  const { id, subject } = waiting.body.proposal
  const { updated_at } = await read('milestones', subject)
  const steps = [
    { at: 50_000, goods: [{ kind: 'luong', quantity: 100 }] },
    { at: 200_000, goods: [{ kind: 'yen', quantity: 900 }] },
  ]
  expect(
    await call('PUT', `milestones/${subject}`, program({ steps, claims_max: 5, updated_at })),
  ).toMatchObject({
    status: 200,
    body: { steps, claims_max: 5, proposal_id: null },
  })
  expect((await decide(id, 'approve')).status).toBe(409)
  const again = await call('POST', `milestones/${subject}/start`, {})
  expect((await decide(again.body.proposal.id, 'approve')).status).toBe(200)
  const running = await read('milestones', subject)
  expect(running).toMatchObject({ state: 'running', steps })
  const late = program({ updated_at: running.updated_at })
  expect((await call('PUT', `milestones/${subject}`, late)).status).toBe(409)
  expect(await read('milestones', subject)).toMatchObject({ steps })
})
