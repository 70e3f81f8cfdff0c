import {
  PROPOSAL_KINDS,
  PROPOSAL_PERMISSIONS,
  type operatorProposals,
  type OperatorProposal,
} from '#contract/operator/proposals.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { assertFreshProof, assertPermitted, type Identity, type UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { once, type Once } from '#server/platform/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { alreadyDecided, othersProposal, outdatedProposal, ownProposal } from './proposals.errors.ts'
import {
  getProposal,
  listProposals,
  lockProposal,
  markProposal,
  type ProposalFilter,
} from './proposals.queries.ts'
import { auditProposal, carryOut, type ProposalsDeps } from './proposals.service.ts'

const DECISIONS_PER_OPERATOR = sharedLimit('proposal-decisions', 120, 60)

const STATE_AFTER = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const

type Decision = keyof typeof STATE_AFTER

/** An operator's decision about a proposal, once for a key; approving does what was proposed. */
export async function decide(
  deps: ProposalsDeps,
  act: Decision,
  { params, body, identity, request, key, overLimit }: UserCall<(typeof operatorProposals)['approve']>,
): Promise<OperatorProposal> {
  const { id } = params
  const operatorId = identity.userId
  const operation =
    key === null ? null : { scope: `operator:${operatorId}:proposals`, key, body: { act, id, body } }
  const work = async (tx: Tx): Promise<Once<OperatorProposal>> => {
    const proposal = await lockProposal(tx, id)
    if (proposal === undefined) throw notFound()
    assertPermitted({ identity, request }, PROPOSAL_PERMISSIONS[proposal.kind])
    if (act !== 'withdraw') assertFreshProof(identity)
    if (proposal.state !== 'waiting') throw alreadyDecided()
    assertPerson(proposal, act, operatorId)
    const by = { operatorId, requestId: request.id }
    if (act === 'approve' && !(await carryOut(deps, tx, { proposal, by }))) throw outdatedProposal()
    await markProposal(tx, id, { state: STATE_AFTER[act], by: operatorId, reason: body.reason })
    const actor = { kind: 'operator', id: operatorId } as const
    await auditProposal(tx, proposal, { act, actor, reason: body.reason, requestId: request.id })
    return { answer: await getProposal(tx, id), resultType: 'proposal', resultId: id }
  }
  const pace = { limits: deps.limits, limit: DECISIONS_PER_OPERATOR, of: operatorId, overLimit }
  return once(deps.db, operation, work, pace)
}

/** A person is an account, however many roles it holds. */
function assertPerson({ proposed_by }: OperatorProposal, act: Decision, operatorId: string): void {
  const isOwn = proposed_by.id === operatorId
  if (act === 'withdraw' && !isOwn) throw othersProposal()
  if (act !== 'withdraw' && isOwn) throw ownProposal()
}

/** Those that the caller may decide. */
export async function listOperatorProposals(
  deps: ProposalsDeps,
  { filter, permissions }: { filter: ProposalFilter } & Pick<Identity, 'permissions'>,
  page: ListPage,
): Promise<ListRows<OperatorProposal>> {
  const kinds = PROPOSAL_KINDS.filter((kind) => permissions.includes(PROPOSAL_PERMISSIONS[kind]))
  const { total, rows } = await listProposals(deps.db, { ...filter, kinds }, page)
  return { total, rows: await Promise.all(rows.map((row) => withOutdated(deps, row))) }
}

/** A waiting proposal that cannot be approved any more is shown as such; it can still be rejected or withdrawn. */
async function withOutdated(
  { db, proposalKinds }: ProposalsDeps,
  proposal: OperatorProposal,
): Promise<OperatorProposal> {
  if (proposal.state !== 'waiting') return proposal
  const present = await proposalKinds[proposal.kind].read(db, proposal.subject)
  return present === proposal.payload.before ? proposal : { ...proposal, state: 'outdated' }
}
