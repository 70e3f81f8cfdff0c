import { afterEach, expect, test } from 'vitest'
import { failedWork, poison } from '#tests/support/poisoned-row.ts'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import type { TestOperator } from '#tests/support/operators.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import {
  inHours,
  listPlans as list,
  PLANNED_PATH as PATH,
  planPrice as plan,
  readSetting,
  setSetting,
} from '#tests/support/settings.ts'
import { carryOutDuePlans } from './due-prices.service.ts'

const portal = useTestApp()
const { first, second } = useOperators(portal, { first: 'owner', second: 'owner' })
afterEach(async () => {
  await asOwner(portal, "UPDATE proposal SET state = 'outdated', decided_at = now() WHERE state = 'waiting'")
  await asOwner(portal, 'DELETE FROM planned_price')
  await setSetting(portal, 'exchange_bonus', '10')
})

const approve = ({ token }: TestOperator, id: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/approve`, { token, body: { reason: 'Đã kiểm tra' } })
/** Moves a plan in time: what was to come in an hour came so many hours ago. */
const pass = (id: string, hours: number) =>
  asOwner(
    portal,
    `UPDATE planned_price SET starts_at = starts_at - make_interval(hours => $2), ends_at = ends_at - make_interval(hours => $2),
       started_at = started_at - make_interval(hours => $2) WHERE id = $1`,
    [id, hours],
  )
const carryOutAll = async () => {
  while (await carryOutDuePlans(portal.deps));
}
const value = async (): Promise<string> => (await readSetting(portal, first.token, 'exchange_bonus')).value
const planned = async (body: object = {}): Promise<string> => {
  const planned = await plan(portal, first, body)
  expect(planned.status, JSON.stringify(planned.body)).toBe(202)
  const approved = await approve(second, planned.body.proposal.id)
  expect(approved.status, JSON.stringify(approved.body)).toBe(200)
  return (await list(portal, first)).body[0].id
}
const stateOf = async (id: string): Promise<string> =>
  (await list(portal, first)).body.find((one: { id: string }) => one.id === id).state

test('nothing is planned until another owner agrees, with the factor before them', async () => {
  const planned = await plan(portal, first)
  expect(planned).toMatchObject({
    status: 202,
    body: { proposal: { kind: 'planned-price', subject: 'exchange_bonus', state: 'waiting' } },
  })
  const { id, payload } = planned.body.proposal
  expect(payload).toMatchObject({ before: '10', after: '20', factor: 2, starts_at: expect.any(String) })
  expect((await approve(first, id)).body.code).toBe('CONFLICT')
  expect((await list(portal, first)).body).toEqual([])
  expect((await approve(second, id)).status).toBe(200)
  expect((await list(portal, first)).body).toMatchObject([
    {
      setting: 'exchange_bonus',
      before: '10',
      after: '20',
      state: 'planned',
      reason: 'Khuyến mãi cuối tuần',
      planned_by: { id: first.id },
      approved_by: { id: second.id },
    },
  ])
  await carryOutAll()
  expect(await value()).toBe('10')
})

test('a price comes at its time, is what players read, and goes back at its end', async () => {
  const id = await planned()
  await pass(id, 1)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['active', '20'])
  expect((await portal.call('GET', '/api/settings')).body.exchange_bonus).toBe('20')
  await pass(id, 1)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['done', '10'])
  expect((await portal.call('GET', '/api/settings')).body.exchange_bonus).toBe('10')
  const history = await portal.call('GET', '/api/operator/settings/exchange_bonus/history', {
    token: first.token,
  })
  expect(history.body.slice(0, 2)).toMatchObject([
    { action: 'planned-prices.return', actor: null, before: '20', after: '10' },
    { action: 'planned-prices.start', actor: null, before: '10', after: '20' },
  ])
  expect((await verifyAndStore(portal.db)).faults).toEqual([])
})

test('a price without an end comes for good', async () => {
  const id = await planned({ ends_at: null })
  await pass(id, 30)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['done', '20'])
  await carryOutAll()
  expect(await value()).toBe('20')
})

test('several processes change a price once, also late', async () => {
  const id = await planned({ ends_at: inHours(80 * 24) })
  await pass(id, 40 * 24)
  const done = await Promise.all(Array.from({ length: 6 }, () => carryOutDuePlans(portal.deps)))
  expect(done.filter(Boolean)).toHaveLength(1)
  expect([await stateOf(id), await value()]).toEqual(['active', '20'])
  const rows = await portal.db
    .selectFrom('audit_log')
    .select('seq')
    .where('action', '=', 'planned-prices.start')
    .where('details', '@>', JSON.stringify({ plan_id: id }))
    .execute()
  expect(rows).toHaveLength(1)
})

test('a price that somebody changed meanwhile is left alone, and who may change prices gets a mail', async () => {
  await giveVerifiedEmail(portal, second.id, 'chu-hai@thu.test')
  const id = await planned()
  await setSetting(portal, 'exchange_bonus', '15')
  await pass(id, 1)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['not-applied', '15'])
  const letters = await lettersTo(portal, 'chu-hai@thu.test')
  expect(letters.filter(({ kind }) => kind === 'planned-price')).toHaveLength(1)
})

test('a price that somebody changed while it was active does not go back', async () => {
  const id = await planned()
  await pass(id, 1)
  await carryOutAll()
  await setSetting(portal, 'exchange_bonus', '35')
  await pass(id, 1)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['not-returned', '35'])
})

test('a price that somebody gave back early is done', async () => {
  const id = await planned()
  await pass(id, 1)
  await carryOutAll()
  await setSetting(portal, 'exchange_bonus', '10')
  await pass(id, 1)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['done', '10'])
})

test('a price whose whole time passed while nothing ran does not come', async () => {
  const id = await planned()
  await pass(id, 5)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['not-applied', '10'])
})

test('of two plans that meet, one goes back before the other comes, whoever carries them out', async () => {
  const [meet, start, end] = [inHours(3), inHours(1), inHours(6)]
  const early = await planned({ starts_at: start, ends_at: meet })
  const late = await planned({ value: '30', starts_at: meet, ends_at: end })
  await pass(early, 1)
  await carryOutAll()
  for (const id of [early, late]) await pass(id, id === early ? 2 : 3)
  await Promise.all(Array.from({ length: 4 }, () => carryOutDuePlans(portal.deps)))
  await carryOutAll()
  expect([await stateOf(early), await stateOf(late), await value()]).toEqual(['done', 'active', '30'])
})

test('what is open of one setting does not overlap', async () => {
  await planned()
  const overlapping = await plan(portal, first, { value: '40', starts_at: inHours(1.5), ends_at: null })
  expect(overlapping).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(overlapping.body.message).toContain('đã có lịch')
  const other = { setting: 'recharge_rate', value: '2' }
  expect((await plan(portal, first, other)).status).toBe(202)
  const afterwards = await plan(portal, first, { value: '40', starts_at: inHours(2.5), ends_at: null })
  expect(afterwards.status).toBe(202)
  // While it waits, its time is taken by nobody: the approval checks it again.
  await asOwner(
    portal,
    `INSERT INTO planned_price (setting, before, after, starts_at, ends_at, reason, planned_by)
         VALUES ('exchange_bonus', '10', '12', $1, $2, 'Khác', $3)`,
    [inHours(3), inHours(4), second.id],
  )
  expect((await approve(second, afterwards.body.proposal.id)).body.code).toBe('CONFLICT')
})

test('what was planned while another plan is active starts from the price that comes back', async () => {
  const id = await planned()
  await pass(id, 1)
  await carryOutAll()
  const next = await plan(portal, first, { value: '50', starts_at: inHours(3), ends_at: inHours(4) })
  expect(next.body.proposal.payload).toMatchObject({ before: '10', after: '50', factor: 5 })
  const waiting = '?filter=%7B%22state%22%3A%22waiting%22%7D'
  const shown = await portal.call('GET', `/api/operator/proposals${waiting}`, { token: second.token })
  expect(shown.body).toMatchObject([{ state: 'waiting', kind: 'planned-price' }])
  expect((await approve(second, next.body.proposal.id)).status).toBe(200)
})

test('a proposal whose start has passed, or whose price has changed, is outdated', async () => {
  const waiting = async () =>
    (
      await portal.call('GET', '/api/operator/proposals?filter=%7B%22state%22%3A%22waiting%22%7D', {
        token: second.token,
      })
    ).body[0].state
  const planned = await plan(portal, first)
  const { id } = planned.body.proposal
  await setSetting(portal, 'exchange_bonus', '11')
  expect(await waiting()).toBe('outdated')
  expect((await approve(second, id)).body.code).toBe('CONFLICT')
  await setSetting(portal, 'exchange_bonus', '10')
  expect(await waiting()).toBe('waiting')
  await asOwner(
    portal,
    `UPDATE proposal SET payload = jsonb_set(payload, '{starts_at}', to_jsonb($2::text)) WHERE id = $1`,
    [id, inHours(-1)],
  )
  expect(await waiting()).toBe('outdated')
  expect((await approve(second, id)).body.code).toBe('CONFLICT')
  expect((await list(portal, first)).body).toEqual([])
})

test.each([
  ['setting', { setting: 'site_name' }],
  ['setting', { setting: 'manual_credit_limit' }],
  ['setting', { setting: 'toString' }],
  ['value', { value: '301' }],
  ['value', { value: '-1' }],
  ['value', { value: '10' }],
  ['starts_at', { starts_at: inHours(-1) }],
  ['starts_at', { starts_at: inHours(91 * 24), ends_at: null }],
  ['starts_at', { starts_at: '2026-11-28' }],
  ['ends_at', { ends_at: inHours(1) }],
  ['ends_at', { ends_at: inHours(91 * 24) }],
  ['reason', { reason: '' }],
])('a wrong %s is named: %o', async (field, body) => {
  const answer = await plan(portal, first, { starts_at: inHours(1), ...body })
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toEqual([field])
})

test('a plan is cancelled before it comes, and not after', async () => {
  const cancel = (id: string) =>
    portal.call('POST', `${PATH}/${id}/cancel`, { token: first.token, body: { reason: 'Đổi ý' } })
  const id = await planned()
  expect(await cancel(id)).toMatchObject({ status: 200, body: { id, state: 'cancelled' } })
  expect((await cancel(id)).body.code).toBe('CONFLICT')
  await pass(id, 1)
  await carryOutAll()
  expect([await stateOf(id), await value()]).toEqual(['cancelled', '10'])
  const other = await planned()
  await pass(other, 1)
  await carryOutAll()
  expect(await cancel(other)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', present: { planned_price: { id: other, state: 'active' } } },
  })
  expect((await cancel('999999999')).status).toBe(404)
})

test('the list is read by state, and by what is open', async () => {
  const id = await planned()
  const ids = async (filter: object) =>
    (await list(portal, first, filter)).body.map((one: { id: string }) => one.id)
  expect(await ids({ open: true })).toEqual([id])
  expect(await ids({ state: 'planned' })).toEqual([id])
  expect(await ids({ state: 'active' })).toEqual([])
  await pass(id, 5)
  await carryOutAll()
  expect(await ids({ open: true })).toEqual([])
  expect(await ids({ state: 'not-applied' })).toEqual([id])
})

test('a plan that fails holds back those behind it of its setting, and no other setting', async () => {
  await setSetting(portal, 'active_fee', '10000')
  const poisoned = await planned()
  const other = await planned({ setting: 'active_fee', value: '20000' })
  await pass(poisoned, 1)
  await pass(other, 1)
  const { cure } = await poison(portal, { table: 'planned_price', id: poisoned })
  await carryOutAll()
  expect(await stateOf(other)).not.toBe('planned')
  expect(await stateOf(poisoned)).toBe('planned')
  expect(await value()).toBe('10')
  expect(await failedWork(portal)).toMatchObject([{ job: 'planned prices', subject: 'exchange_bonus' }])
  await cure()
  await carryOutAll()
  expect(await stateOf(poisoned)).not.toBe('planned')
  expect(await failedWork(portal)).toEqual([])
})
