import { afterEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { setSetting, changeSettings, readSetting } from '#tests/support/settings.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { startProposalJobs } from './index.ts'
import { takeEffect } from './proposals.service.ts'

const portal = useTestApp()
const { first, second } = useOperators(portal, { first: 'owner', second: 'owner' })
afterEach(() =>
  asOwner(portal, "UPDATE proposal SET state = 'outdated', decided_at = now() WHERE state = 'waiting'"),
)

const KEY = 'manual_credit_limit'

const propose = (value: string, key?: string) =>
  changeSettings(portal, {
    token: first.token,
    values: { [KEY]: value },
    reason: 'Đổi hạn mức',
    ...(key === undefined ? {} : { key }),
  })
const aProposal = async (value: string): Promise<string> => (await propose(value)).body.proposals[0].id

const decide = (act: string, id: string, { token }: TestOperator, key?: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/${act}`, {
    token,
    body: { reason: 'Đã xem' },
    ...(key === undefined ? {} : { key }),
  })
const list = async (query = '') =>
  portal.call('GET', `/api/operator/proposals${query}`, { token: first.token })
const value = async (): Promise<string> => (await readSetting(portal, first.token, KEY)).value

test('a list of many costs as few statements as a list of one', async () => {
  await aProposal('1234')
  const listed = () => statementsOf(list)
  const ofOne = await listed()
  expect((await list('?filter={"state":"waiting"}')).body).toHaveLength(1)
  for (let made = 0; made < 3; made += 1) {
    const { id } = await aPlayer(portal)
    await asOwner(
      portal,
      `INSERT INTO proposal (kind, subject, payload, reason, proposed_by) VALUES ('second-factor', $1, '{"before":"off","after":"off"}', 'Thử', $2)`,
      [id, first.id],
    )
  }
  const ofMany = await listed()
  expect((await list('?filter={"state":"waiting"}')).body.length).toBeGreaterThan(3)
  // One more for the second kind.
  expect(ofMany.length).toBeLessThanOrEqual(ofOne.length + 1)
})

describe('a decision', () => {
  test('to reject, by somebody else, leaves everything as it was', async () => {
    const before = await value()
    const id = await aProposal('1234')
    expect((await decide('reject', id, first)).body.code).toBe('CONFLICT')
    expect((await decide('reject', id, second)).body).toMatchObject({
      state: 'rejected',
      decided_by: { id: second.id, username: second.username },
      decision_reason: 'Đã xem',
    })
    expect(await value()).toBe(before)
  })

  test('takes the permission of its kind, not of another', async () => {
    const id = await aProposal('1234')
    const cashier = await anOperator(portal, 'cashier')
    expect((await decide('reject', id, cashier)).status).toBe(403)
    expect((await list()).body[0]).toMatchObject({ id, state: 'waiting' })
  })

  test('to withdraw is the proposer’s', async () => {
    const id = await aProposal('1234')
    expect((await decide('withdraw', id, second)).body.code).toBe('CONFLICT')
    expect((await decide('withdraw', id, first)).body).toMatchObject({ state: 'withdrawn' })
  })

  test('comes once, also of two at the same time', async () => {
    const id = await aProposal('4321')
    const answers = await Promise.all([decide('approve', id, second), decide('withdraw', id, first)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    for (const act of ['approve', 'reject']) expect((await decide(act, id, second)).status).toBe(409)
  })

  test('under the same key is the same answer', async () => {
    const id = await aProposal('777')
    const [once, again] = [
      await decide('approve', id, second, 'khoa-1'),
      await decide('approve', id, second, 'khoa-1'),
    ]
    expect(again).toMatchObject({ status: 200, body: once.body })
    const other = await decide('approve', '999999', second, 'khoa-1')
    expect(other.body.code).toBe('KEY_REUSED')
  })

  test('about what there is not is refused', async () => {
    expect((await decide('approve', '999999', second)).status).toBe(404)
  })
})

describe('a proposal', () => {
  test('is made once under one key', async () => {
    const [once, again] = [await propose('5001', 'khoa-2'), await propose('5001', 'khoa-2')]
    expect([once.status, again.status]).toEqual([202, 202])
    expect(again.body).toEqual(once.body)
    expect((await propose('5002', 'khoa-2')).body.code).toBe('KEY_REUSED')
  })

  test('prevents a second one of the same setting while it waits', async () => {
    await aProposal('6001')
    expect((await propose('6002')).body.code).toBe('CONFLICT')
  })

  test('whose setting has changed meanwhile is shown as outdated and cannot be approved', async () => {
    const id = await aProposal('7001')
    await setSetting(portal, KEY, '88')
    expect((await list()).body[0]).toMatchObject({ id, state: 'outdated', decided_at: null })
    expect((await decide('approve', id, second)).body.code).toBe('CONFLICT')
    expect(await value()).toBe('88')
    expect((await decide('reject', id, second)).status).toBe(200)
  })

  test('whose value the rule no longer takes cannot be approved', async () => {
    const id = await aProposal('7002')
    await asOwner(
      portal,
      "UPDATE proposal SET payload = jsonb_set(payload, '{after}', '\"-1\"') WHERE id = $1",
      [id],
    )
    expect((await decide('approve', id, second)).body.code).toBe('CONFLICT')
  })

  test('that is due and outdated is marked so and changes nothing', async () => {
    const id = await aProposal('7003')
    await setSetting(portal, KEY, '89')
    await asOwner(portal, 'UPDATE proposal SET takes_effect_at = now() WHERE id = $1', [id])
    expect(await takeEffect(portal.deps)).toBe(true)
    expect((await list()).body[0]).toMatchObject({ id, state: 'outdated', decided_at: expect.any(String) })
    expect(await value()).toBe('89')
  })

  test('that is due takes effect by the job, and the page cache is notified', async () => {
    let notified = 0
    portal.deps.listener.on('content_changed', () => void notified++)
    const id = await aProposal('9001')
    await asOwner(portal, 'UPDATE proposal SET takes_effect_at = now() WHERE id = $1', [id])
    const loops = startProposalJobs(portal.deps)
    try {
      await expect.poll(value).toBe('9001')
      await expect.poll(() => notified).toBeGreaterThan(0)
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
    }
  })
})

test('the list shows the newest first, by state and in pages', async () => {
  const id = await aProposal('9100')
  const waiting = await list('?filter={"state":"waiting"}&range=[0,0]')
  expect(waiting.body.map((row: { id: string }) => row.id)).toEqual([id])
  expect(waiting.headers['content-range']).toBe('proposals 0-0/1')
  expect((await list('?filter={"state":"khac"}')).status).toBe(422)
  expect((await list('?range=[9990,10010]')).status).toBe(422)
})

describe('a proposal of settings', () => {
  const change = (values: Record<string, string>) => changeSettings(portal, { token: first.token, values })

  test('is made for each changed one', async () => {
    const account = (bin: string) => JSON.stringify({ bin, number: '123456789', name: 'A' })
    const proposed = await change({
      bank_account_acb: account('970416'),
      bank_account_vietcombank: account('970436'),
    })
    expect(proposed.status).toBe(202)
    expect(proposed.body.proposals).toMatchObject([
      { subject: 'bank_account_acb' },
      { subject: 'bank_account_vietcombank' },
    ])
  })

  test('security row 40: shows how many times today’s a price would be; within its bounds', async () => {
    for (const [key, value] of [
      ['recharge_rate', '101'],
      ['exchange_rate', '3001'],
      ['exchange_bonus', '301'],
      ['active_fee', '10000001'],
    ] as const)
      expect([key, (await change({ [key]: value })).status]).toEqual([key, 422])
    const [proposal] = (await change({ exchange_rate: '3000' })).body.proposals
    expect(proposal.payload).toEqual({ before: '30', after: '3000', factor: 100 })
    expect((await list('?filter={"state":"waiting"}')).body[0].payload.factor).toBe(100)
    const [amounts] = (await change({ exchange_amounts: '[5000]' })).body.proposals
    expect(amounts.payload).toEqual({ before: expect.any(String), after: '[5000]' })
  })
})

test.each([
  ['an act there is not', { act: 'gift', order_id: null }],
  ['a match without its order', { act: 'match', order_id: null }],
  ['a credit of an order', { act: 'credit', order_id: '81' }],
  ['nobody to give to', { act: 'credit', order_id: null, user_id: null }],
  ['nothing to give', { act: 'credit', order_id: null, coins: 0 }],
])('the database refuses a proposal about a bank transfer with %s', async (_, change) => {
  const payload = JSON.stringify({ user_id: '91', rate: 1, coins: 1, ...change })
  const added = asOwner(
    portal,
    `INSERT INTO proposal (kind, subject, payload, reason, proposed_by)
       VALUES ('bank-transfer', '75', '${payload}', 'Thử', 1)`,
  )
  await expect(added).rejects.toThrow('proposal_bank_transfer')
})
