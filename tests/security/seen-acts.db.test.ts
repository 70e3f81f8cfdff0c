import { describe, expect, test } from 'vitest'
import { ACT_GUARDS, type ActGuard, type OperatorAct } from '#contract/operator/act-guards.ts'
import { ROLE_PERMISSIONS, ROLES } from '#contract/operator/roles.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aTransfer, openAccounts } from '#tests/support/bank.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
const { a, b } = useOperators(portal, { a: 'owner', b: 'owner' })

const reason = 'Kiểm tra điều ai cũng thấy'
const act = (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}, by = a) =>
  portal.call(method, `/api/operator${path}`, { token: by.token, body: { reason, ...body } })

const ACTS = Object.entries<ActGuard>(ACT_GUARDS) as [OperatorAct, ActGuard][]
const seenBy = (kind: string) => ACTS.filter(([, { seen }]) => seen === kind)

const rolesThatMay = ({ endpoint: { access } }: ActGuard) => {
  const needed = typeof access === 'object' ? [access.permission].flat() : []
  return ROLES.filter((role) => needed.some((one) => ROLE_PERMISSIONS[role].some((held) => held === one)))
}

test('an act that is said to wait for somebody else, or to be limited, is declared so', () => {
  for (const [name, { secondPerson }] of seenBy('proposal'))
    expect([name, secondPerson]).toEqual([name, 'always'])
  for (const [name, { limit }] of seenBy('limit')) expect([name, limit]).not.toEqual([name, null])
})

test('what an act does is undone at once by an act that everybody may do who may do the first', () => {
  const undone = ACTS.flatMap(([name, guard]) =>
    typeof guard.seen === 'object' ? [{ name, guard, undo: guard.seen.undo }] : [],
  )
  expect(undone.length).toBeGreaterThan(20)
  for (const { name, guard, undo } of undone) {
    const undoing = (ACT_GUARDS as Record<string, ActGuard>)[undo]
    const may = undoing ? rolesThatMay(undoing) : []
    expect([name, undo, rolesThatMay(guard).filter((role) => !may.includes(role))]).toEqual([name, undo, []])
  }
})

/** Subjects and details of acts that a digest tells of by more than their number. */
const DETAILS: Partial<Record<OperatorAct, { type: string; details: Record<string, unknown> }>> = {
  'planned-prices.cancel': {
    type: 'planned-price',
    details: { before: '10', after: '20', starts_at: '2026-11-29T00:00:00Z', ends_at: null },
  },
  'promotions.stop': { type: 'promotion', details: {} },
  'milestones.stop': { type: 'milestones', details: {} },
  'gift-codes.stop': { type: 'gift-codes', details: {} },
  'proposals.approve': { type: 'second-factor', details: {} },
}

test.for(seenBy('digest'))('the digest of the owners tells of %s', async ([action]) => {
  const { type, details } = DETAILS[action] ?? { type: 'user', details: { amount: 1, coins: 1 } }
  const by = await aPlayer(portal)
  await inTransaction(portal.db, (tx) =>
    appendAudit(tx, {
      actor: { kind: 'operator', id: by.id },
      action,
      reason,
      subject: { type, id: type === 'planned-price' ? 'exchange_bonus' : by.id },
      details,
    }),
  )
  const { body } = await portal.call('GET', '/api/operator/digest', { token: b.token })
  const lines = body.operators.find(
    ({ operator }: { operator: { id: string } | null }) => operator?.id === by.id,
  )
  expect(lines?.lines).toHaveLength(1)
})

test('files that are taken out are in the digest', async () => {
  expect((await portal.call('GET', '/api/operator/users.csv', { token: a.token })).status).toBe(200)
  const { body } = await portal.call('GET', '/api/operator/digest', { token: b.token })
  const own = body.operators.find(
    ({ operator }: { operator: { id: string } | null }) => operator?.id === a.id,
  )
  expect(own.lines.some((line: string) => line.endsWith(': 1 lần'))).toBe(true)
})

const roles = async () => act('PUT', `/staff/${(await aPlayer(portal)).id}/roles`, { roles: ['editor'] })
const aProposal = async () => {
  const { id } = await aPlayer(portal)
  return (await act('POST', `/users/${id}/adjustment`, { amount: 9_000_000 })).body.proposal.id as string
}
const aProposedTransfer = async () => {
  await openAccounts(portal)
  const id = await aTransfer(portal, { transferAmount: 9_000_000 })
  const { id: user_id } = await aPlayer(portal)
  expect((await act('POST', `/bank-transfers/${id}/credit`, { user_id })).status).toBe(202)
  return id
}

/** One call of each act of which letters tell, after what it is about. */
const CALLS: Record<string, () => Promise<{ status: number }>> = {
  'staff.set-roles': roles,
  'staff.invite': () => act('POST', '/staff/invites', { role: 'support' }),
  'staff.withdraw-invite': async () => {
    await act('POST', '/staff/invites', { role: 'support' })
    const { body } = await portal.call('GET', '/api/operator/staff/invites', { token: a.token })
    return act('DELETE', `/staff/invites/${body[0].id}`)
  },
  'proposals.reject': async () => act('POST', `/proposals/${await aProposal()}/reject`, {}, b),
  'proposals.withdraw': async () => act('POST', `/proposals/${await aProposal()}/withdraw`),
  'bank-transfers.reject': async () =>
    act('POST', `/bank-transfers/${await aProposedTransfer()}/reject`, {}, b),
  'bank-transfers.withdraw': async () => act('POST', `/bank-transfers/${await aProposedTransfer()}/withdraw`),
}

describe('letters tell the whole staff', () => {
  test.for(seenBy('letter'))('of %s', async ([action]) => {
    const email = anEmail()
    await giveVerifiedEmail(portal, b.id, email)
    const call = CALLS[action]
    expect(call, 'a call in CALLS of this test').toBeDefined()
    expect((await call?.())?.status).toBeLessThan(300)
    const kinds = (await lettersTo(portal, email)).map(({ kind }) => kind)
    expect(kinds.at(-1)).toBe(action.startsWith('staff.') ? 'role-changed' : 'proposal-ended')
  })
})
