import { OBJECTION_HOURS, type OperatorProposal, permissionsFor } from '#contract/operator/proposals.ts'
import { type ProposalTerms, withParts } from '#contract/operator/proposal-terms.ts'
import { grantersOf, listStaff, mailStaff, type StaffMember } from '#server/modules/accounts/index.ts'
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
import { doneMail, endedMail, proposedMail, type Waits } from './letters.ts'
import { anotherWaits } from './proposals.errors.ts'
import {
  countOpenProposals,
  getProposal,
  type OwnKind,
  type OwnProposal,
  insertProposal,
  listDueProposals,
  lockDueProposal,
  lockWaiting,
  markProposal,
  type NewProposal,
  type OwnChange,
  wholeOrNothing,
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
  const { kind, parts = [] } = proposed
  const terms = await termsOfOne(deps, tx, { ...proposed, parts })
  const facts = {
    title: await deps.proposalKinds[kind].titleOf(proposed.subject, tx),
    terms,
    reason: proposed.reason,
    proposer: staff.find(({ id }) => id === proposed.operatorId)?.username ?? '',
  }
  if (!deps.isSecondPersonNeeded) {
    await mailStaff(deps.vault, tx, staff, (to) => doneMail(to, facts))
    return null
  }
  const others = people.othersThan(proposed.operatorId, permissionsFor({ kind, parts }))
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

type Stated = Pick<OperatorProposal, 'kind' | 'subject' | 'payload' | 'parts'>

/** The terms of each proposal as they are now, with those of its parts; one statement for all changes of a kind. */
export async function readTerms(
  { proposalKinds }: Pick<ProposalsDeps, 'proposalKinds'>,
  db: Db | Tx,
  proposals: readonly Stated[],
): Promise<ProposalTerms[]> {
  const settings = await readSettings(db)
  const changes = proposals.flatMap((one) => [one, ...one.parts])
  const read = new Map<object, ProposalTerms>()
  const kinds = Map.groupBy(changes, ({ kind }) => kind)
  await Promise.all(
    [...kinds].map(async ([kind, ofKind]) => {
      const terms = await proposalKinds[kind].termsOf(db, ofKind, settings)
      for (const [at, change] of ofKind.entries()) read.set(change, terms[at] as ProposalTerms)
    }),
  )
  const termsOf = (change: object): ProposalTerms => {
    const terms = read.get(change)
    invariant(terms, 'each change has its terms')
    return terms
  }
  return proposals.map((one) => withParts(termsOf(one), one.parts.map(termsOf)))
}

/** The terms of one proposal as they are now. */
export async function termsOfOne(
  deps: Pick<ProposalsDeps, 'proposalKinds'>,
  db: Db | Tx,
  proposal: Stated,
): Promise<ProposalTerms> {
  const [terms] = await readTerms(deps, db, [proposal])
  invariant(terms, 'each proposal has its terms')
  return terms
}

type Applied = Omit<ProposedChange, 'subject' | keyof OperatorProposal['payload']>

/** Makes changes one after the other; false when one cannot be made any more. The caller then undoes those before it. */
export async function applyAll(
  { proposalKinds }: Pick<ProposalsDeps, 'proposalKinds'>,
  tx: Tx,
  { changes, ...applied }: Applied & { changes: readonly OwnChange[] },
): Promise<boolean> {
  for (const { kind, subject, payload } of changes)
    if (!(await proposalKinds[kind].apply(tx, { ...applied, subject, ...payload }))) return false
  return true
}

/** Makes the proposed change after its parts and mails all operators; false when it cannot be made any more. */
export async function carryOut(
  deps: ProposalsDeps,
  tx: Tx,
  { proposal, by }: { proposal: OwnProposal & { terms: ProposalTerms }; by: Decider },
): Promise<boolean> {
  const { titleOf } = deps.proposalKinds[proposal.kind]
  const { id: proposalId, subject, parts, reason, terms } = proposal
  const staff = await listStaff(tx)
  // A proposer who has lost the permission since, perhaps because of a stolen password, cannot make the change.
  const proposer = staff.find(({ id }) => id === proposal.proposed_by.id)
  if (!proposer || !mayAll(proposer, proposal)) return false
  const applied = { proposalId, reason, proposedBy: proposer.id, by }
  if (!(await applyAll(deps, tx, { ...applied, changes: [...parts, proposal] }))) return false
  const facts = { title: await titleOf(subject, tx), terms, reason, proposer: proposer.username }
  // Read again: the change may have made somebody an operator.
  await mailStaff(deps.vault, tx, await listStaff(tx), (to) => doneMail(to, facts))
  return true
}

const mayAll = ({ permissions }: StaffMember, proposal: OwnProposal): boolean =>
  permissionsFor(proposal).every((one) => permissions.includes(one))

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
async function whoLetsIt(tx: Tx, proposal: OwnProposal): Promise<string | null> {
  const { agreed_by, proposed_by } = proposal
  if (agreed_by.length === 0) return proposed_by.id
  const staff = await listStaff(tx)
  const may = (id: string) => staff.some((one) => one.id === id && mayAll(one, proposal))
  return agreed_by.find(({ id }) => may(id))?.id ?? null
}

/** False also when a change was refused; nothing of the proposal is done then. */
async function isCarriedOut(...[deps, tx, change]: Parameters<typeof carryOut>): Promise<boolean> {
  try {
    return await wholeOrNothing(tx, () => carryOut(deps, tx, change))
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
  for (const recorded of await recordedProposal(tx, proposal))
    await appendAudit(tx, { ...entry, action: `proposals.${act}`, ...recorded })
}

/** Under what the proposal and each of its parts is about, so that the trail of a setting has what was proposed for it. */
export async function recordedProposal(
  tx: Tx,
  { id, kind, subject, payload, parts, terms, proposed_by }: OperatorProposal,
): Promise<[Recorded, ...Recorded[]]> {
  // Who gave the proposer their role.
  const chain = kind === 'roles' || kind === 'invite' ? { chain: await grantersOf(tx, proposed_by.id) } : {}
  const common = { proposal_id: id, proposed_by: proposed_by.id }
  return [
    { subject: { type: kind, id: subject }, details: { ...common, ...payload, terms, ...chain } },
    ...parts.map((part) => ({
      subject: { type: part.kind, id: part.subject },
      details: { ...common, ...part.payload },
    })),
  ]
}

/**
 * Closes what waits about a subject whose terms an operator has just changed, since nobody approves what they were not shown,
 * and tells everybody. The subject is locked; `lockWaiting` before that keeps the order of locks.
 */
export async function voidWaiting(
  { vault, proposalKinds }: Pick<ProposalsDeps, 'vault' | 'proposalKinds'>,
  tx: Tx,
  { kind, subject, by, reason }: Pick<OwnChange, 'kind' | 'subject'> & { by: string; reason: string },
): Promise<Recorded[]> {
  const staff = await listStaff(tx)
  const recorded: Recorded[] = []
  for (const id of await lockWaiting(tx, { kind, subject })) {
    const proposal = await getProposal(tx, id)
    await markProposal(tx, { id, state: 'outdated', by: null, reason: null })
    const ended = {
      title: await proposalKinds[kind].titleOf(subject, tx),
      proposer: proposal.proposed_by.username,
      by: staff.find((one) => one.id === by)?.username ?? '',
      reason,
      how: 'edited',
    } as const
    await mailStaff(vault, tx, staff, (to) => endedMail(to, ended))
    recorded.push(
      ...(await recordedProposal(tx, proposal)).map((one) => ({
        ...one,
        action: 'proposals.outdate' as const,
      })),
    )
  }
  return recorded
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
