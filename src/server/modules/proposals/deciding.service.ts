import {
  permissionsFor,
  PROPOSAL_PERMISSIONS,
  proposalKindsOf,
  type operatorProposals,
  type OperatorProposal,
} from '#contract/operator/proposals.ts'
import type { ProposalTerms } from '#contract/operator/proposal-terms.ts'
import { findRecentPermissions, listStaff, mailStaff } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { assertPermitted, type Identity, type UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant, orNotFound } from '#server/platform/values/errors.ts'
import { askedAbout, assertSecondPerson, readPeople, withAsked } from './counting.service.ts'
import { agreedMail, endedMail } from './letters.ts'
import {
  alreadyAgreed,
  alreadyDecided,
  othersProposal,
  outdatedProposal,
  ownProposal,
} from './proposals.errors.ts'
import {
  findProposal,
  getProposal,
  insertAgreement,
  lockAdjustments,
  listProposals,
  lockProposal,
  markProposal,
  type OwnChange,
  type OwnProposal,
  type ProposalFilter,
} from './proposals.queries.ts'
import { carryOut, type ProposalsDeps, readTerms, recordedProposal, termsOfOne } from './proposals.service.ts'

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
      // Whoever may stop the change itself stops all that would be done with it.
      const needed = act === 'approve' ? permissionsFor(proposal) : [PROPOSAL_PERMISSIONS[proposal.kind]]
      for (const permission of needed) assertPermitted({ identity, request }, permission)
      if (proposal.state !== 'waiting') throw alreadyDecided()
      assertPerson(proposal, act, operatorId)
      const stated = { ...proposal, terms: await termsOfOne(deps, tx, proposal) }
      const audit = await recordedProposal(tx, stated)
      if (act === 'approve') {
        if (await isLeftToOthers(deps, tx, { proposal: stated, operatorId, reason: body.reason }))
          return {
            answer: await answerOf(deps, tx, id),
            audit: audit.map((one) => ({ ...one, action: 'proposals.agree' as const })),
          }
        const by = { operatorId, requestId: request.id }
        if (!(await carryOut(deps, tx, { proposal: stated, by }))) throw outdatedProposal()
      } else await tellEnd(deps, tx, { proposal: stated, act, operatorId, reason: body.reason })
      await markProposal(tx, { id, state: STATE_AFTER[act], by: operatorId, reason: body.reason })
      return { answer: await answerOf(deps, tx, id), audit }
    },
  })
}

async function answerOf(deps: ProposalsDeps, tx: Tx, id: string): Promise<OperatorProposal> {
  const [answer] = await withAsked(deps, tx, [await getProposal(tx, id)])
  invariant(answer, 'each proposal is answered with whom it waits for')
  return answer
}

type Deciding = { proposal: OwnProposal & { terms: ProposalTerms }; operatorId: string; reason: string }

/**
 * Records an approval while others are asked still and have time to refuse, and tells everybody. False when nobody is asked
 * any more, or their time is over: then it is to be done.
 */
async function isLeftToOthers(
  deps: ProposalsDeps,
  tx: Tx,
  { proposal, operatorId, reason }: Deciding,
): Promise<boolean> {
  const { id, kind, proposed_by } = proposal
  const permissions = permissionsFor(proposal)
  const people = await readPeople(deps, tx, [proposed_by.id, operatorId])
  assertSecondPerson(people, { proposer: proposed_by.id, decider: operatorId, permissions })
  if (kind === 'adjustment') await lockAdjustments(tx)
  const asked = (await askedAbout(people, proposal))?.filter((one) => one.id !== operatorId) ?? []
  if (asked.length === 0) return false
  if (proposal.agreed_by.some((agreed) => agreed.id === operatorId)) throw alreadyAgreed()
  if (await insertAgreement(tx, { id, by: operatorId, reason })) return false
  const { takes_effect_at, agreed_by } = await getProposal(tx, id)
  invariant(takes_effect_at, 'what somebody agreed to has its time')
  const facts = {
    title: await deps.proposalKinds[kind].titleOf(proposal.subject, tx),
    terms: proposal.terms,
    reason: proposal.reason,
    proposer: proposed_by.username,
    agreed: agreed_by.map(({ username }) => username),
    asked: asked.map(({ username }) => username),
    takesEffectAt: takes_effect_at,
  }
  await mailStaff(deps.vault, tx, people.staff, (to) => agreedMail(to, facts))
  return true
}

/** Tells everybody that what they were told of does not come. */
async function tellEnd(
  deps: ProposalsDeps,
  tx: Tx,
  { proposal, act, operatorId, reason }: Deciding & { act: 'reject' | 'withdraw' },
): Promise<void> {
  const staff = await listStaff(tx)
  const ended = {
    title: await deps.proposalKinds[proposal.kind].titleOf(proposal.subject, tx),
    proposer: proposal.proposed_by.username,
    by: staff.find(({ id }) => id === operatorId)?.username ?? '',
    reason,
    how: act,
  }
  await mailStaff(deps.vault, tx, staff, (to) => endedMail(to, ended))
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
  return {
    total,
    rows: await withTerms(deps, await withOutdated(deps, await withAsked(deps, deps.db, rows))),
  }
}

/** A waiting proposal that cannot be approved any more is shown as such; it can still be rejected or withdrawn. */
async function withOutdated(
  { db, clock, proposalKinds }: ProposalsDeps,
  proposals: OperatorProposal[],
): Promise<OperatorProposal[]> {
  const changesOf = (one: OperatorProposal) => [one, ...one.parts] as OwnChange[]
  const waiting = proposals.filter((one) => one.state === 'waiting' && one.kind !== 'bank-transfer')
  const kinds = Map.groupBy(waiting.flatMap(changesOf), ({ kind }) => kind)
  const present = new Map(
    await Promise.all(
      [...kinds].map(async ([kind, ofKind]) => {
        const subjects = ofKind.map(({ subject }) => subject)
        return [kind, await proposalKinds[kind].readMany(db, subjects)] as const
      }),
    ),
  )
  const isCurrent = ({ kind, subject, payload }: OwnChange): boolean =>
    present.get(kind)?.get(subject) === payload.before
  return proposals.map((proposal) => {
    if (!waiting.includes(proposal)) return proposal
    const { starts_at } = proposal.payload
    const hasPassed = starts_at !== undefined && Date.parse(starts_at) <= clock.now().getTime()
    return changesOf(proposal).every(isCurrent) && !hasPassed
      ? proposal
      : { ...proposal, state: 'outdated' as const }
  })
}

/** What waits is shown with its terms as they are now: prices and balances may have changed since it was proposed. */
async function withTerms(deps: ProposalsDeps, proposals: OperatorProposal[]): Promise<OperatorProposal[]> {
  const open = proposals.filter(({ decided_at }) => decided_at === null)
  const terms = await readTerms(deps, deps.db, open)
  return proposals.map((proposal) => ({
    ...proposal,
    terms: terms[open.indexOf(proposal)] ?? proposal.terms,
  }))
}
