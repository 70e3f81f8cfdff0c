import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { grantRole } from '#server/modules/accounts/index.ts'
import { anOrder, balanceOf, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { setSetting } from '#tests/support/settings.ts'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { anOperatorWithoutProof, stepUp, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { endOf, useCashDesk, REASON } from '#tests/support/cash-desk.ts'

const LIMIT = 1_000_000

const desk = useCashDesk()

afterEach(() => expectReconciled(desk.portal))

/** Money above the limit that a cashier credits to a player. */
async function aProposal(amount = LIMIT + 1): Promise<{ id: string; player: TestPlayer }> {
  const player = await aPlayer(desk.portal)
  const id = await desk.arrives({ transferAmount: amount })
  const answer = await desk.done(id, 'credit', { username: player.username })
  expect(answer.status).toBe('waiting')
  return { id, player }
}

const bySecond = () => ({ by: desk.second })

describe('a credit above the limit', () => {
  test('waits, with its proposal, and moves nothing; just at the limit it does not', async () => {
    const { id, player } = await aProposal()
    const { waiting, state, acts } = await desk.transfer(id)
    expect(state).toBe('review')
    expect(waiting).toMatchObject({
      act: 'credit',
      order_code: null,
      user: { id: player.id, username: player.username },
      coins: LIMIT + 1,
      reason: REASON,
      proposed_by: { id: desk.cashier.id, username: desk.cashier.username },
    })
    expect(acts).toMatchObject([{ act: 'propose', details: { proposed: 'credit' } }])
    expect(await balanceOf(desk.portal, player)).toBe(0)
    const within = await desk.arrives({ transferAmount: LIMIT })
    expect((await desk.done(within, 'credit', { user_id: player.id })).status).toBe('done')
  })

  test('is measured in TCoin, and a match is too, however exact its amount', async () => {
    await setSetting(desk.portal, 'recharge_rate', '2')
    const player = await aPlayer(desk.portal)
    const order = await anOrder(desk.portal, player, { amount: 600_000 })
    await setSetting(desk.portal, 'recharge_rate', '1')
    const id = await desk.arrives({ transferAmount: 600_000 })
    const answer = await desk.done(id, 'match', { order_code: order.code })
    expect(answer).toMatchObject({
      status: 'waiting',
      proposal: { act: 'match', order_code: order.code, coins: 1_200_000 },
    })
    expect(endOf(await desk.done(id, 'approve', {}, bySecond()))).toEqual({
      state: 'credited',
      reason: null,
      order_code: order.code,
      credited: 1_200_000,
    })
    expect(await orderNow(desk.portal, player, order.code)).toMatchObject({ status: 'paid' })
    expect(await balanceOf(desk.portal, player)).toBe(1_200_000)
  })

  test('is made by the approval of another, at the rate both were shown, and once', async () => {
    const { id, player } = await aProposal()
    await setSetting(desk.portal, 'recharge_rate', '5')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        desk.act(id, 'approve', {}, { by: n % 2 ? desk.second : desk.owner, key: randomUUID() }),
      ),
    )
    await setSetting(desk.portal, 'recharge_rate', '1')
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)])
    expect(await balanceOf(desk.portal, player)).toBe(LIMIT + 1)
    expect((await desk.transfer(id)).acts.map(({ act }) => act)).toEqual(['propose', 'approve'])
  })

  test('is not approved or rejected by who proposed it, whatever roles they hold', async () => {
    const { id, player } = await aProposal()
    await grantRole(desk.portal.db, { username: desk.cashier.username, role: 'owner' })
    for (const act of ['approve', 'reject']) {
      const refused = await desk.act(id, act, {})
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    }
    expect(await balanceOf(desk.portal, player)).toBe(0)
    await expect(
      asOwner(
        desk.portal,
        `UPDATE proposal SET state = 'approved', decided_by = proposed_by, decided_at = now()
          WHERE state = 'waiting' AND kind = 'bank-transfer'`,
      ),
    ).rejects.toThrow('proposal_second_person')
  })

  test('is dropped by another’s rejection or its own withdrawal; then the transfer is open again', async () => {
    const rejected = await aProposal()
    await desk.done(rejected.id, 'reject', {}, bySecond())
    expect(await desk.transfer(rejected.id)).toMatchObject({ state: 'review', waiting: null })
    await desk.done(rejected.id, 'ignore', {})
    const withdrawn = await aProposal()
    expect((await desk.act(withdrawn.id, 'withdraw', {}, bySecond())).status).toBe(409)
    await desk.done(withdrawn.id, 'withdraw', {})
    expect((await desk.act(withdrawn.id, 'approve', {}, bySecond())).status).toBe(409)
    expect(await balanceOf(desk.portal, withdrawn.player)).toBe(0)
  })

  test('makes every other act on its transfer wait', async () => {
    const { id, player } = await aProposal()
    for (const [act, body] of [
      ['credit', { user_id: player.id }],
      ['ignore', {}],
      ['refund', { outgoing_reference: 'FT1', refunded_on: '2026-01-01' }],
    ] as const) {
      expect((await desk.act(id, act, body, bySecond())).status).toBe(409)
    }
    const { ids } = await desk.list({ waiting: true })
    expect(ids).toContain(id)
  })

  test('proposed by two at once is one proposal', async () => {
    const player = await aPlayer(desk.portal)
    const id = await desk.arrives({ transferAmount: 2_000_000 })
    const answers = await Promise.all(
      [desk.cashier, desk.second, desk.owner].map((by) =>
        desk.act(id, 'credit', { user_id: player.id }, { by }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  })

  test('whose order was paid meanwhile is refused, and can still be rejected', async () => {
    const player = await aPlayer(desk.portal)
    const order = await anOrder(desk.portal, player, { amount: 2_000_000 })
    const id = await desk.arrives({ transferAmount: 2_000_000 })
    await desk.done(id, 'match', { order_code: order.code })
    await desk.arrives({ content: order.code, transferAmount: 2_000_000 })
    expect((await desk.act(id, 'approve', {}, bySecond())).status).toBe(422)
    expect(await balanceOf(desk.portal, player)).toBe(2_000_000)
    await desk.done(id, 'reject', {}, bySecond())
  })
})

describe('in the list of all proposals', () => {
  const listed = async (id: string, by: TestOperator) => {
    const filter = encodeURIComponent(JSON.stringify({ state: 'waiting' }))
    const path = `/api/operator/proposals?filter=${filter}`
    const answer = await desk.portal.call('GET', path, { token: by.token })
    const rows = answer.body as unknown as OperatorProposal[]
    return rows.find(({ kind, subject }) => kind === 'bank-transfer' && subject === id)
  }
  const decide = (proposal: OperatorProposal | undefined, act: string, by: TestOperator) =>
    desk.portal.call('POST', `/api/operator/proposals/${proposal?.id}/${act}`, {
      token: by.token,
      body: { reason: REASON },
    })

  test('it is shown to whoever may decide it, and decided there', async () => {
    const { id, player } = await aProposal()
    const proposal = await listed(id, desk.second)
    expect(proposal).toMatchObject({
      subject_name: player.username,
      payload: { before: '0', after: String(LIMIT + 1) },
      proposed_by: { username: desk.cashier.username },
    })
    expect((await decide(proposal, 'approve', desk.cashier)).status).toBe(409)
    const approved = await decide(proposal, 'approve', desk.second)
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { state: 'approved', decided_by: { username: desk.second.username } },
    ])
    expect(await balanceOf(desk.portal, player)).toBe(LIMIT + 1)
    expect((await desk.transfer(id)).acts.map(({ act }) => act)).toEqual(['propose', 'approve'])
  })

  test('a decision is about the proposal that was read, not about a later one of the same transfer', async () => {
    const { id, player } = await aProposal()
    const first = await listed(id, desk.second)
    expect((await decide(first, 'withdraw', desk.cashier)).status).toBe(200)
    await desk.done(id, 'credit', { username: (await aPlayer(desk.portal)).username })
    expect((await decide(first, 'approve', desk.second)).status).toBe(409)
    expect(await desk.transfer(id)).toMatchObject({ state: 'review', waiting: { coins: LIMIT + 1 } })
    expect(await balanceOf(desk.portal, player)).toBe(0)
  })
})

describe('fresh proof of the second factor', () => {
  test('is required for every credit, of who gives or proposes it and of who decides', async () => {
    const stale = await anOperatorWithoutProof(desk.portal, 'owner')
    const { id } = await aProposal()
    for (const act of ['approve', 'reject']) {
      const refused = await desk.act(id, act, {}, { by: stale })
      expect([refused.status, refused.body.code]).toEqual([409, 'STEP_UP_REQUIRED'])
    }
    const player = await aPlayer(desk.portal)
    const large = await desk.arrives({ transferAmount: LIMIT + 1 })
    const body = { user_id: player.id }
    const key = randomUUID()
    expect((await desk.act(large, 'credit', body, { by: stale, key })).body.code).toBe('STEP_UP_REQUIRED')
    const small = await desk.arrives()
    expect((await desk.act(small, 'credit', body, { by: stale })).body.code).toBe('STEP_UP_REQUIRED')
    await stepUp(desk.portal, stale)
    expect((await desk.act(large, 'credit', body, { by: stale, key })).status).toBe(202)
    await desk.done(small, 'credit', body, { by: stale })
  })

  test('is required to take back a credit', async () => {
    const stale = await anOperatorWithoutProof(desk.portal, 'owner')
    const { id } = await aProposal()
    await desk.done(id, 'approve', {}, bySecond())
    const refused = await desk.act(id, 'reverse-credit', {}, { by: stale })
    expect(refused.body.code).toBe('STEP_UP_REQUIRED')
  })
})

describe('nobody gives to themselves', () => {
  test('neither directly, nor by proposing it, nor by approving what another proposed', async () => {
    const id = await desk.arrives()
    expect((await desk.act(id, 'credit', { user_id: desk.cashier.id })).status).toBe(409)
    const large = await desk.arrives({ transferAmount: LIMIT + 1 })
    expect((await desk.act(large, 'credit', { user_id: desk.cashier.id })).status).toBe(409)
    await desk.done(large, 'credit', { user_id: desk.second.id })
    expect((await desk.act(large, 'approve', {}, bySecond())).status).toBe(409)
    await desk.done(large, 'approve', {}, { by: desk.owner })
    expect(await balanceOf(desk.portal, desk.second)).toBe(LIMIT + 1)
    expect(await balanceOf(desk.portal, desk.cashier)).toBe(0)
  })
})

describe('a credit that is taken back above the limit', () => {
  test('needs two owners', async () => {
    const { id, player } = await aProposal()
    await desk.done(id, 'approve', {}, bySecond())
    const owner = { by: desk.owner }
    expect((await desk.act(id, 'reverse-credit', {}, bySecond())).status).toBe(403)
    expect(await desk.done(id, 'reverse-credit', {}, owner)).toMatchObject({
      status: 'waiting',
      state: 'credited',
      proposal: { act: 'reverse-credit', coins: LIMIT + 1 },
    })
    expect((await desk.act(id, 'approve', {}, owner)).status).toBe(409)
    expect((await desk.act(id, 'approve', {}, bySecond())).status).toBe(403)
    expect(await balanceOf(desk.portal, player)).toBe(LIMIT + 1)
    expect(endOf(await desk.done(id, 'approve', {}, { by: desk.secondOwner }))).toMatchObject({
      state: 'review',
      reason: 'credit-undone',
      credited: 0,
    })
    expect(await balanceOf(desk.portal, player)).toBe(0)
  })
})
