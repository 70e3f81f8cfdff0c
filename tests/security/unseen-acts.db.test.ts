import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROPOSAL_KINDS, PROPOSAL_REACH, type OperatorProposal } from '#contract/operator/proposals.ts'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { type ExampleKind, exampleChanges, proposeExample } from '#tests/support/proposal-examples.ts'
import { setSetting } from '#tests/support/settings.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const portal = useTestApp()
const { a, b, c } = useOperators(portal, { a: 'owner', b: 'owner', c: 'owner' })
// What took effect does not stand in the way of the next example.
afterEach(async () => {
  for (const ended of [
    "UPDATE proposal SET state = 'outdated', decided_at = now() WHERE state = 'waiting'",
    "UPDATE planned_price SET state = 'cancelled', closed_at = now() WHERE state = 'planned'",
    "UPDATE milestone_program SET state = 'stopped', stopped_at = now(), stopped_by = made_by WHERE state = 'running'",
    "DELETE FROM settings WHERE key IN ('exchange_rate', 'recharge_rate')",
  ])
    await asOwner(portal, ended)
})

const decide = ({ token }: TestOperator, act: string, id: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/${act}`, { token, body: { reason: 'Đã xem' } })

const stateOf = async (id: string): Promise<OperatorProposal> => {
  const filter = encodeURIComponent(JSON.stringify({ id }))
  const { body } = await portal.call('GET', `/api/operator/proposals?filter=${filter}`, { token: a.token })
  return (body as OperatorProposal[])[0] as OperatorProposal
}

/** Lets so many hours pass for one proposal. */
const pass = (id: string, hours: number) =>
  asOwner(
    portal,
    `UPDATE proposal SET proposed_at = proposed_at - make_interval(mins => $2::integer),
            takes_effect_at = takes_effect_at - make_interval(mins => $2::integer) WHERE id = $1`,
    [id, hours * 60],
  )

/** What the change would replace, as it is now. */
const present = async ({ kind, subject }: OperatorProposal) =>
  (await portal.deps.proposalKinds[kind as ExampleKind].readMany(portal.db, [subject])).get(subject)

/** Gives an operator a new address, and answers the letters that reach it. */
async function letters({ id }: TestOperator) {
  const email = anEmail()
  await giveVerifiedEmail(portal, id, email)
  return async () =>
    (await lettersTo(portal, email)).map(({ kind, subject, paragraphs = [] }) => ({
      kind,
      text: [subject, ...paragraphs].join(' '),
    }))
}

const OWN_KINDS = PROPOSAL_KINDS.filter((kind): kind is ExampleKind => kind !== 'bank-transfer')

/** What concerns the house or its staff; the second factor is an operator’s. */
const OF_THE_HOUSE = OWN_KINDS.filter((kind) => PROPOSAL_REACH[kind] !== 'player')

async function aChange(kind: ExampleKind) {
  const change = await exampleChanges(portal, a)[kind]()
  if (kind !== 'second-factor') return { kind, ...change }
  return { kind, ...change, subject: (await anOperator(portal, 'editor')).id }
}

describe.for(OF_THE_HOUSE)('two owners against a third, about %s', (kind) => {
  test('get nothing into effect within a day that the third was not told of and could not stop', async () => {
    const change = await aChange(kind)
    const toC = await letters(c)
    const proposal = await proposeExample(portal, a, change)
    const before = await present(proposal)
    expect(await toC()).toMatchObject([
      { kind: 'proposal-made', text: expect.stringContaining('nếu không ai bác') },
    ])
    const agreed = await decide(b, 'approve', proposal.id)
    expect([agreed.status, agreed.body.state]).toEqual([200, 'waiting'])
    expect(agreed.body).toMatchObject({
      agreed_by: [{ id: b.id, username: b.username }],
      asked: [{ id: c.id, username: c.username }],
    })
    const hours = Date.parse(agreed.body.takes_effect_at) - Date.parse(agreed.body.proposed_at)
    expect(hours).toBe(24 * 3_600_000)
    expect((await decide(b, 'approve', proposal.id)).status).toBe(409)
    expect((await decide(a, 'approve', proposal.id)).status).toBe(409)
    expect((await toC()).at(-1)).toMatchObject({
      kind: 'proposal-agreed',
      text: expect.stringContaining(`Còn được hỏi: ${c.username}`),
    })
    await pass(proposal.id, 23.9)
    expect(await takeEffect(portal.deps)).toBe(false)
    expect(await present(proposal)).toBe(before)
    expect(await stateOf(proposal.id)).toMatchObject({ asked: [{ id: c.id }], agreed_by: [{ id: b.id }] })

    expect((await decide(c, 'reject', proposal.id)).body.state).toBe('rejected')
    await pass(proposal.id, 100)
    expect(await takeEffect(portal.deps)).toBe(false)
    expect(await present(proposal)).toBe(before)
    expect((await toC()).at(-1)?.kind).toBe('proposal-ended')
    const acts = (await trailRows(portal, { subject: { type: kind, id: proposal.subject } })).map(
      ({ action }) => action,
    )
    expect(acts.slice(-3)).toEqual(['proposals.propose', 'proposals.agree', 'proposals.reject'])
  })

  test('have it at once with the third, and after a day where the third refuses nothing', async () => {
    const toC = await letters(c)
    const change = await aChange(kind)
    const all = await proposeExample(portal, a, change)
    expect((await decide(b, 'approve', all.id)).body.state).toBe('waiting')
    expect((await decide(c, 'approve', all.id)).body).toMatchObject({ state: 'approved', asked: null })
    expect((await toC()).at(-1)?.kind).toBe('proposal-done')
  })

  test('wait a day from the proposal, of which the third was told', async () => {
    const silent = await proposeExample(portal, a, await aChange(kind))
    await decide(b, 'approve', silent.id)
    await pass(silent.id, 24.1)
    expect(await takeEffect(portal.deps)).toBe(true)
    expect((await stateOf(silent.id)).state).toBe('effective')
  })
})

test('a day after the proposal one who agrees is enough', async () => {
  const proposal = await proposeExample(portal, a, await aChange('budget'))
  await pass(proposal.id, 24.1)
  expect(await takeEffect(portal.deps)).toBe(false)
  expect((await decide(b, 'approve', proposal.id)).body).toMatchObject({ state: 'approved' })
})

test('who agreed may still refuse, and the proposer take it back; all are told', async () => {
  const toC = await letters(c)
  for (const [by, act, state] of [
    [b, 'reject', 'rejected'],
    [a, 'withdraw', 'withdrawn'],
  ] as const) {
    const proposal = await proposeExample(portal, a, await aChange('budget'))
    await decide(b, 'approve', proposal.id)
    expect((await decide(by, act, proposal.id)).body.state).toBe(state)
    expect((await toC()).at(-1)).toMatchObject({
      kind: 'proposal-ended',
      text: expect.stringContaining(by.username),
    })
  }
})

test('what was agreed by an account that lost its role at the command line does not come', async () => {
  const taken = await anOperator(portal, 'owner')
  const proposal = await proposeExample(portal, a, await aChange('budget'))
  await decide(taken, 'approve', proposal.id)
  await asOwner(portal, 'DELETE FROM user_roles WHERE user_id = $1', [taken.id])
  await pass(proposal.id, 24.1)
  expect(await takeEffect(portal.deps)).toBe(true)
  expect((await stateOf(proposal.id)).state).toBe('outdated')
})

test('one due proposal that fails leaves the others', async () => {
  const [broken, sound] = [
    await proposeExample(portal, a, await aChange('budget')),
    await proposeExample(portal, a, await aChange('budget')),
  ]
  for (const { id } of [broken, sound]) {
    await decide(b, 'approve', id)
    await pass(id, 24.1)
  }
  await asOwner(portal, `UPDATE proposal SET payload = jsonb_set(payload, '{after}', '"x"') WHERE id = $1`, [
    broken.id,
  ])
  expect(await takeEffect(portal.deps).catch(String)).toBe(true)
  expect((await stateOf(sound.id)).state).toBe('effective')
  const { state } = await portal.db
    .selectFrom('proposal')
    .select('state')
    .where('id', '=', broken.id)
    .executeTakeFirstOrThrow()
  expect(state).toBe('waiting')
})

test('a player does not wait for everybody, and everybody is told', async () => {
  const toC = await letters(c)
  const proposal = await proposeExample(portal, a, await aChange('adjustment'))
  expect(proposal.asked).toBeNull()
  expect((await decide(b, 'approve', proposal.id)).body.state).toBe('approved')
  expect((await toC()).map(({ kind }) => kind)).toEqual(['proposal-made', 'proposal-done'])
})

describe('what two people give players in a day', () => {
  const LIMIT = 5_000_000
  const anAdjustment = async (coins: number) =>
    proposeExample(portal, a, {
      kind: 'adjustment',
      subject: (await aPlayer(portal, { coins: 10 * LIMIT })).id,
      payload: { before: '', after: String(coins) },
    })
  beforeEach(async () => {
    await setSetting(portal, 'agreed_adjustment_limit', String(LIMIT))
    await asOwner(
      portal,
      "UPDATE proposal SET decided_at = now() - interval '25 hours' WHERE state = 'approved'",
    )
  })

  test('is theirs to the last coin of the limit, over all players and in both directions', async () => {
    const [given, taken] = [await anAdjustment(LIMIT - 1_000), await anAdjustment(-1_000)]
    for (const { id } of [given, taken]) expect((await decide(b, 'approve', id)).body.state).toBe('approved')
    const toC = await letters(c)
    const next = await anAdjustment(1)
    expect(next.asked?.map(({ id }) => id).sort()).toEqual([b.id, c.id].sort())
    expect((await toC()).at(-1)?.text).toContain('nếu không ai bác')
    expect((await decide(b, 'approve', next.id)).body).toMatchObject({
      state: 'waiting',
      asked: [{ id: c.id }],
    })
    expect((await decide(c, 'approve', next.id)).body.state).toBe('approved')
  })

  test('is counted for 24 hours', async () => {
    const [first, second] = [await anAdjustment(LIMIT), await anAdjustment(LIMIT)]
    await decide(b, 'approve', first.id)
    expect((await stateOf(second.id)).asked).toHaveLength(2)
    const ago = (time: string) =>
      asOwner(portal, `UPDATE proposal SET decided_at = now() - interval '${time}' WHERE id = $1`, [first.id])
    await ago('23 hours 59 minutes')
    expect((await stateOf(second.id)).asked).toHaveLength(2)
    await ago('24 hours')
    expect((await decide(b, 'approve', second.id)).body.state).toBe('approved')
  })

  test('does not pass the limit by approvals at the same moment', async () => {
    const both = [await anAdjustment(LIMIT), await anAdjustment(LIMIT)]
    const states = await Promise.all(both.map(async ({ id }) => (await decide(b, 'approve', id)).body.state))
    expect(states.sort()).toEqual(['approved', 'waiting'])
  })
})

test.for(OWN_KINDS)(
  'one owner with all they can make gets nothing of the kind %s into effect',
  async (kind) => {
    const change = await aChange(kind)
    const toB = await letters(b)
    const proposal = await proposeExample(portal, a, change)
    const before = await present(proposal)
    expect((await toB()).at(-1)?.kind).toBe('proposal-made')
    for (const role of ['editor', 'support'] as const) {
      const made = await anOperator(portal, role)
      await asOwner(portal, 'UPDATE user_roles SET granted_by = $2 WHERE user_id = $1', [made.id, a.id])
      expect((await decide(made, 'approve', proposal.id)).status).toBeGreaterThanOrEqual(403)
    }
    expect((await decide(a, 'approve', proposal.id)).status).toBe(409)
    await pass(proposal.id, 1_000)
    expect(await takeEffect(portal.deps)).toBe(false)
    expect(await present(proposal)).toBe(before)
    expect((await decide(b, 'reject', proposal.id)).body.state).toBe('rejected')
  },
)
