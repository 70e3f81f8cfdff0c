import { OBJECTION_HOURS, type OperatorProposal, PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { ProposalTerms } from '#contract/operator/proposal-terms.ts'
import { grantersOf, listStaff, mailStaff } from '#server/modules/accounts/index.ts'
import { appendAudit, type AuditActor, type Recorded } from '#server/modules/audit/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { invariant, Refusal } from '#server/platform/values/errors.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { askedAbout, type People, readPeople, withAsked } from './counting.service.ts'
import { doneMail, proposedMail, type Waits } from './letters.ts'
import { anotherWaits } from './proposals.errors.ts'
import {
  countOpenProposals,
  getProposal,
  type OwnKind,
  type OwnProposal,
  insertProposal,
  listDueProposals,
  lockDueProposal,
  markProposal,
  type NewProposal,
} from './proposals.queries.ts'

/** What may be proposed, and how it is done; defined by the module whose data it changes. */
type ProposalKind = {
  titleOf(subject: string, db: Db | Tx): string | Promise<string>
  /** The current value of each subject, by one statement. */
  readMany(db: Db, subjects: readonly string[]): Promise<Map<string, string | null>>
  termsOf: TermsOf
  /** False when it cannot be done any more; throws a refusal where there is more to say. */
  apply(tx: Tx, change: ProposedChange): Promise<boolean>
}

export type Proposed = Pick<OperatorProposal, 'subject' | 'payload'>

/**
 * What each change would do, in full, with its worst case at today's prices and what is in force today; in the order of the
 * changes. Letters, the screen of proposals, the digest and the trail show it, so it names no person.
 */
export type TermsOf = (
  db: Db | Tx,
  changes: readonly Proposed[],
  settings: SettingValues,
) => Promise<ProposalTerms[]>

/** What is now done; `by` is the operator who lets it be done. */
export type ProposedChange = OperatorProposal['payload'] & {
  proposalId: string
  subject: string
  reason: string
  proposedBy: string
  by: Decider
}

/** Who proposed it, where it takes effect by itself. */
type Decider = { operatorId: string; requestId?: string }

export type ProposalKinds = Record<OwnKind, ProposalKind> & {
  /** Made and decided by the module bank-inbox. */
  'bank-transfer': { termsOf: TermsOf }
}

export type ProposalsDeps = PlatformDeps & { proposalKinds: ProposalKinds; isSecondPersonNeeded: boolean }

/**
 * Stores an act for another person, in the caller's transaction; where nobody else who holds its permission counts as
 * one, and nobody did in the last seven days, it takes effect by itself a day later. Returns null, for the caller to act at
 * once, where the installation has switched the second person off. All operators get a mail either way.
 */
export async function propose(
  deps: ProposalsDeps,
  tx: Tx,
  proposed: NewProposal & { requestId: string },
): Promise<OperatorProposal | null> {
  const people = await readPeople(deps, tx, [proposed.operatorId])
  const { staff } = people
  const terms = await termsOfOne(deps, tx, proposed)
  const facts = {
    title: await deps.proposalKinds[proposed.kind].titleOf(proposed.subject, tx),
    terms,
    reason: proposed.reason,
    proposer: staff.find(({ id }) => id === proposed.operatorId)?.username ?? '',
  }
  if (!deps.isSecondPersonNeeded) {
    await mailStaff(deps.vault, tx, staff, (to) => doneMail(to, facts))
    return null
  }
  const others = people.othersThan(proposed.operatorId, PROPOSAL_PERMISSIONS[proposed.kind])
  const id = await insertProposal(tx, { ...proposed, terms }, others.length === 0 ? OBJECTION_HOURS : null)
  if (id === undefined) throw anotherWaits()
  const [proposal] = await withAsked(deps, tx, [await getProposal(tx, id)])
  invariant(proposal, 'each proposal is answered with whom it waits for')
  const waits = await waitsFor(people, proposal)
  await mailStaff(deps.vault, tx, staff, (to) => proposedMail(to, { ...facts, waits }))
  await auditProposal(tx, proposal, {
    act: 'propose',
    actor: { kind: 'operator', id: proposed.operatorId },
    reason: proposed.reason,
    requestId: proposed.requestId,
  })
  return proposal
}

async function waitsFor(people: People, proposal: OperatorProposal): Promise<Waits> {
  const { proposed_at, takes_effect_at } = proposal
  if (takes_effect_at !== null) return { for: 'alone', takesEffectAt: takes_effect_at }
  const asked = await askedAbout(people, proposal)
  if (asked === null) return { for: 'one' }
  const earliest = new Date(Date.parse(proposed_at) + OBJECTION_HOURS * 3_600_000).toISOString()
  return { for: 'everybody', asked: asked.map(({ username }) => username), earliest }
}

/** The terms of one change as they are now. */
export async function termsOfOne(
  { proposalKinds }: Pick<ProposalsDeps, 'proposalKinds'>,
  db: Db | Tx,
  { kind, ...change }: Pick<OperatorProposal, 'kind' | 'subject' | 'payload'>,
): Promise<ProposalTerms> {
  const [terms] = await proposalKinds[kind].termsOf(db, [change], await readSettings(db))
  invariant(terms, 'each change has its terms')
  return terms
}

/** Makes the proposed change and mails all operators; false when it cannot be made any more. */
export async function carryOut(
  deps: ProposalsDeps,
  tx: Tx,
  { proposal, by }: { proposal: OwnProposal & { terms: ProposalTerms }; by: Decider },
): Promise<boolean> {
  const { titleOf, apply } = deps.proposalKinds[proposal.kind]
  const { id: proposalId, kind, subject, payload, reason, terms } = proposal
  const staff = await listStaff(tx)
  // A proposer who has lost the permission since, perhaps because of a stolen password, cannot make the change.
  const proposer = staff.find(({ id }) => id === proposal.proposed_by.id)
  if (!proposer?.permissions.includes(PROPOSAL_PERMISSIONS[kind])) return false
  const change = { proposalId, subject, reason, proposedBy: proposer.id, by, ...payload }
  if (!(await apply(tx, change))) return false
  const facts = { title: await titleOf(subject, tx), terms, reason, proposer: proposer.username }
  // Read again: the change may have made somebody an operator.
  await mailStaff(deps.vault, tx, await listStaff(tx), (to) => doneMail(to, facts))
  return true
}

const CLOSED_AT_ONCE = 100

/** Lets proposals take effect whose time has come; true when it did something. */
export const takeEffect = (deps: ProposalsDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'proposals',
    limit: CLOSED_AT_ONCE,
    list: listDueProposals,
    work: (id) => closeDue(deps, id),
  })

async function closeDue(deps: ProposalsDeps, id: string): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const due = await lockDueProposal(tx, id)
    if (due === undefined) return false
    const proposal = { ...due, terms: await termsOfOne(deps, tx, due) }
    const operatorId = await whoLetsIt(tx, due)
    const isDone = operatorId !== null && (await isCarriedOut(deps, tx, { proposal, by: { operatorId } }))
    const state = isDone ? 'effective' : 'outdated'
    await markProposal(tx, { id: proposal.id, state, by: null, reason: null })
    const { reason } = proposal
    await auditProposal(tx, proposal, {
      act: isDone ? 'take-effect' : 'outdate',
      actor: { kind: 'system' },
      reason,
    })
    return true
  })
}

/**
 * One who agreed and may still do so, or the proposer where nobody was asked. Null when nobody who agreed may do so any more,
 * as when an account was taken over and lost its role at the command line.
 */
async function whoLetsIt(tx: Tx, { kind, agreed_by, proposed_by }: OwnProposal): Promise<string | null> {
  if (agreed_by.length === 0) return proposed_by.id
  const staff = await listStaff(tx)
  const may = (id: string) =>
    staff.some((one) => one.id === id && one.permissions.includes(PROPOSAL_PERMISSIONS[kind]))
  return agreed_by.find(({ id }) => may(id))?.id ?? null
}

/** False also when the change was refused; refusals come before anything is written. */
async function isCarriedOut(...[deps, tx, change]: Parameters<typeof carryOut>): Promise<boolean> {
  try {
    return await carryOut(deps, tx, change)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

type Act = {
  act: 'propose' | 'take-effect' | 'outdate'
  actor: AuditActor
  reason: string
  requestId?: string
}

async function auditProposal(tx: Tx, proposal: OperatorProposal, { act, ...entry }: Act): Promise<void> {
  await appendAudit(tx, { ...entry, action: `proposals.${act}`, ...(await recordedProposal(tx, proposal)) })
}

/** Under what the proposal is about, so that the trail of a setting has what was proposed for it. */
export async function recordedProposal(
  tx: Tx,
  { id, kind, subject, payload, terms, proposed_by }: OperatorProposal,
): Promise<Recorded> {
  // Who gave the proposer their role.
  const chain = kind === 'roles' || kind === 'invite' ? { chain: await grantersOf(tx, proposed_by.id) } : {}
  return {
    subject: { type: kind, id: subject },
    details: { proposal_id: id, proposed_by: proposed_by.id, ...payload, terms, ...chain },
  }
}

/** Proposals that nobody refused in time take effect. */
export function startProposalJobs(deps: ProposalsDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'proposals', pauseMs: 30_000, round: () => takeEffect(deps) }])
}

/** Proposals name a player by id, and stay with the trail. */
export const personalProposals: PersonalPart = {
  lists: {},
  erase: eraseNothing,
  open: { proposal: countOpenProposals },
}
