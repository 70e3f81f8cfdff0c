import {
  PROPOSAL_PERMISSIONS,
  proposalKindsOf,
  type operatorProposals,
  type OperatorProposal,
  type ProposalKind,
} from '#contract/operator/proposals.ts'
import { findRecentPermissions } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { assertPermitted, type Identity, type UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { alreadyDecided, othersProposal, outdatedProposal, ownProposal } from './proposals.errors.ts'
import {
  findProposal,
  getProposal,
  listProposals,
  lockProposal,
  markProposal,
  type OwnKind,
  type ProposalFilter,
} from './proposals.queries.ts'
import {
  assertSecondPerson,
  carryOut,
  type ProposalsDeps,
  recordedProposal,
  termsOfOne,
} from './proposals.service.ts'

const STATE_AFTER = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const

export type Decision = keyof typeof STATE_AFTER

export type DecisionCall = UserCall<(typeof operatorProposals)['approve']>

export type DecidingDeps = ProposalsDeps & {
  /** What is proposed about a bank transfer is decided by its module, under the transfer's lock. */
  decideTransfer(
    act: Decision,
    proposal: Pick<OperatorProposal, 'id' | 'subject'>,
    call: DecisionCall,
  ): Promise<unknown>
}

/** An operator's decision about a proposal, once for a key; approving does what was proposed. */
export async function decide(
  deps: DecidingDeps,
  act: Decision,
  call: DecisionCall,
): Promise<OperatorProposal> {
  const proposal = await findProposal(deps.db, call.params.id)
  const deciding = act === 'reject' ? await asRecent(deps, call) : call
  if (proposal?.kind !== 'bank-transfer') return decideOwn(deps, act, deciding)
  assertPermitted(deciding, PROPOSAL_PERMISSIONS[proposal.kind])
  await deps.decideTransfer(act, proposal, deciding)
  return getProposal(deps.db, proposal.id)
}

/** The call of somebody who may refuse by a role that was taken from them in the last days as by one they hold. */
async function asRecent({ db }: ProposalsDeps, call: DecisionCall): Promise<DecisionCall> {
  const permissions = await findRecentPermissions(db, call.identity.userId)
  return { ...call, identity: { ...call.identity, permissions } }
}

async function decideOwn(deps: ProposalsDeps, act: Decision, call: DecisionCall): Promise<OperatorProposal> {
  const { params, body, identity, request } = call
  const { id } = params
  const operatorId = identity.userId
  return actAsOperator(deps, call, {
    action: `proposals.${act}`,
    async work(tx) {
      const proposal = orNotFound(await lockProposal(tx, id))
      assertPermitted({ identity, request }, PROPOSAL_PERMISSIONS[proposal.kind])
      if (proposal.state !== 'waiting') throw alreadyDecided()
      assertPerson(proposal, act, operatorId)
      const stated = { ...proposal, terms: await termsOfOne(deps, tx, proposal) }
      if (act === 'approve')
        await assertSecondPerson(deps, tx, {
          proposer: proposal.proposed_by.id,
          decider: operatorId,
          permission: PROPOSAL_PERMISSIONS[proposal.kind],
        })
      const by = { operatorId, requestId: request.id }
      if (act === 'approve' && !(await carryOut(deps, tx, { proposal: stated, by }))) throw outdatedProposal()
      await markProposal(tx, { id, state: STATE_AFTER[act], by: operatorId, reason: body.reason })
      return { answer: await getProposal(tx, id), audit: await recordedProposal(tx, stated) }
    },
  })
}

/** A person is an account, however many roles it holds. */
function assertPerson({ proposed_by }: OperatorProposal, act: Decision, operatorId: string): void {
  const isOwn = proposed_by.id === operatorId
  if (act === 'withdraw' && !isOwn) throw othersProposal()
  if (act !== 'withdraw' && isOwn) throw ownProposal()
}

/** Those that the caller may decide, or refuse by a role that was taken in the last days. */
export async function listOperatorProposals(
  deps: ProposalsDeps,
  { filter, userId }: { filter: ProposalFilter } & Pick<Identity, 'userId'>,
  page: ListPage,
): Promise<ListRows<OperatorProposal>> {
  const kinds = proposalKindsOf(await findRecentPermissions(deps.db, userId))
  const { total, rows } = await listProposals(deps.db, { ...filter, kinds }, page)
  return { total, rows: await withTerms(deps, await withOutdated(deps, rows)) }
}

/** A waiting proposal that cannot be approved any more is shown as such; it can still be rejected or withdrawn. */
async function withOutdated(
  { db, clock, proposalKinds }: ProposalsDeps,
  proposals: OperatorProposal[],
): Promise<OperatorProposal[]> {
  const waiting = Map.groupBy(
    proposals.filter((one) => one.state === 'waiting' && one.kind !== 'bank-transfer'),
    ({ kind }) => kind as OwnKind,
  )
  const present = new Map(
    await Promise.all(
      [...waiting].map(async ([kind, ofKind]) => {
        const subjects = ofKind.map(({ subject }) => subject)
        return [kind as ProposalKind, await proposalKinds[kind].readMany(db, subjects)] as const
      }),
    ),
  )
  return proposals.map((proposal) => {
    if (proposal.state !== 'waiting' || proposal.kind === 'bank-transfer') return proposal
    const { before, starts_at } = proposal.payload
    const isCurrent = present.get(proposal.kind)?.get(proposal.subject) === before
    const hasPassed = starts_at !== undefined && Date.parse(starts_at) <= clock.now().getTime()
    return isCurrent && !hasPassed ? proposal : { ...proposal, state: 'outdated' as const }
  })
}

/** What waits is shown with its terms as they are now: prices and balances may have changed since it was proposed. */
async function withTerms(
  { db, proposalKinds }: ProposalsDeps,
  proposals: OperatorProposal[],
): Promise<OperatorProposal[]> {
  const open = proposals.filter(({ decided_at }) => decided_at === null)
  const settings = await readSettings(db)
  const now = new Map(
    await Promise.all(
      [...Map.groupBy(open, ({ kind }) => kind)].map(async ([kind, ofKind]) => {
        const terms = await proposalKinds[kind].termsOf(db, ofKind, settings)
        return ofKind.map(({ id }, at) => [id, terms[at] ?? null] as const)
      }),
    ).then((kinds) => kinds.flat()),
  )
  return proposals.map((proposal) => ({ ...proposal, terms: now.get(proposal.id) ?? proposal.terms }))
}
