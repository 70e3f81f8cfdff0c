import { randomUUID } from 'node:crypto'
import type { OperatorProposal, ProposalKind } from '#contract/operator/proposals.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { propose } from '#server/modules/proposals/proposals.service.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestApp } from './app.ts'
import { aBudget } from './budgets.ts'
import { aVisitorCase } from './cases.ts'
import { asOwner } from './databases.ts'
import { aPhone } from './mail.ts'
import type { TestOperator } from './operators.ts'
import { aPlayer } from './players.ts'
import { fundedBudget, promotionFields } from './promotions.ts'
import { aTaker } from './rewards.ts'
import { inHours, setSetting } from './settings.ts'

type Change = Pick<OperatorProposal, 'subject' | 'payload'>

/** Those about bank transfers are made by their own module. */
export type ExampleKind = Exclude<ProposalKind, 'bank-transfer'>

const STARTS = { before: 'planned', after: 'running' }

/** One change of each kind, as its module proposes it; a new one at each call, but for settings. */
export function exampleChanges(
  portal: TestApp,
  owner: TestOperator,
): Record<ExampleKind, () => Promise<Change>> {
  const ask = async (path: string, body: object) => {
    const answer = await portal.call('POST', `/api/operator/${path}`, {
      token: owner.token,
      body: { reason: 'Thử điều khoản', ...body },
    })
    invariant(answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  return {
    setting: () => Promise.resolve({ subject: 'exchange_rate', payload: { before: '30', after: '3000' } }),
    'planned-price': () =>
      Promise.resolve({
        subject: 'recharge_rate',
        payload: { before: '1', after: '2', starts_at: inHours(30), ends_at: inHours(40) },
      }),
    adjustment: async () => ({
      subject: (await aPlayer(portal, { coins: 7_000 })).id,
      payload: { before: '', after: '2500000' },
    }),
    'second-factor': async () => ({
      subject: (await aPlayer(portal)).id,
      payload: { before: 'on', after: 'off' },
    }),
    'account-return': async () => ({
      subject: (await aPlayer(portal)).id,
      payload: {
        before: 'unproved',
        after: 'proved',
        case_id: (await aVisitorCase(portal, { phone: aPhone() })).id,
      },
    }),
    roles: async () => ({ subject: (await aPlayer(portal)).id, payload: { before: '', after: 'cashier' } }),
    invite: async () => {
      const { proposal } = await ask('staff/invites', { role: 'owner' })
      await asOwner(portal, `UPDATE proposal SET state = 'outdated', decided_at = now() WHERE id = $1`, [
        proposal.id,
      ])
      return { subject: proposal.subject, payload: { before: '', after: 'owner' } }
    },
    'give-again': async () => {
      const { player, character } = await aTaker(portal)
      const id = randomUUID()
      await asOwner(
        portal,
        `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods)
         VALUES ($1, 'reward', $2, 0, '1', $3, $4, 'x', '[{"kind":"luong","quantity":3000},{"kind":"item","code":"pet","quantity":1}]')`,
        [id, player.id, player.username, character],
      )
      await asOwner(portal, 'INSERT INTO give_again_batch (delivery_ids) VALUES (ARRAY[$1::uuid])', [id])
      const { id: subject } = await portal.db
        .selectFrom('give_again_batch')
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      return { subject, payload: { before: '', after: '1' } }
    },
    budget: async () => ({
      subject: (await aBudget(portal, owner)).id,
      payload: { before: '', after: '2500000' },
    }),
    promotion: async () => {
      const budget_id = await fundedBudget(portal, 1_000_000)
      const { id } = await ask('promotions', { ...promotionFields(), budget_id })
      return { subject: id, payload: STARTS }
    },
    milestones: async () => {
      const { id } = await ask('milestones', {
        title: 'Mốc cuối tuần',
        starts_at: inHours(0),
        ends_at: inHours(24),
        claims_until: inHours(48),
        steps: [{ at: 100_000, goods: [{ kind: 'luong', quantity: 5_000 }] }],
      })
      return { subject: id, payload: STARTS }
    },
    'gift-codes': async () => {
      for (const name of ['act', 'operator', 'day', 'budget'])
        await setSetting(portal, `goods_${name}_luong`, '1000000000000000')
      const { batch } = await ask('gift-code-batches', {
        title: 'Mã khai trương',
        coins: null,
        budget_id: null,
        goods: [{ kind: 'luong', quantity: 100_000_000 }],
        starts_at: inHours(0),
        ends_at: inHours(24),
        codes: 1,
        uses_per_code: 1_000_000,
        per_player: 1,
        server_id: null,
      })
      return { subject: batch.id, payload: STARTS }
    },
  }
}

/** Has an operator propose a change, as its module does. */
export async function proposeExample(
  portal: TestApp,
  by: TestOperator,
  change: Change & { kind: ExampleKind },
): Promise<OperatorProposal> {
  const proposal = await inTransaction(portal.db, (tx) =>
    propose(portal.deps, tx, { ...change, reason: 'Thử', operatorId: by.id, requestId: randomUUID() }),
  )
  invariant(proposal, 'another person has to agree')
  return proposal
}
