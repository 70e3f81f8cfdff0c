import { type OperatorProposal, PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { formatMoment } from '#contract/format.ts'
import { type ProposalTerms, termsInWords } from '#contract/operator/proposal-terms.ts'
import {
  grantersOf,
  listStaff,
  mailStaff,
  type StaffMember,
  whyOnePerson,
} from '#server/modules/accounts/index.ts'
import { appendAudit, type AuditActor, type Recorded } from '#server/modules/audit/index.ts'
import type { Mail } from '#server/modules/mail/index.ts'
import { haveSameSecret } from '#server/modules/second-factor/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { invariant, Refusal } from '#server/platform/values/errors.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { anotherWaits, ownProposal, samePerson } from './proposals.errors.ts'
import {
  countOpenProposals,
  getProposal,
  type OwnKind,
  type OwnProposal,
  insertProposal,
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

/** The delay in which other operators can notice a change proposed by the only owner. */
const HOURS_ALONE = 24

/**
 * Stores an act for a second person, in the caller's transaction; where nobody else who holds its permission counts as
 * one, and nobody did in the last seven days, it takes effect by itself a day later. Returns null, for the caller to act at once, where the installation has switched the
 * second person off. All operators get a mail either way.
 */
export async function propose(
  deps: ProposalsDeps,
  tx: Tx,
  proposed: NewProposal & { requestId: string },
): Promise<OperatorProposal | null> {
  const permission = PROPOSAL_PERMISSIONS[proposed.kind]
  const staff = await listStaff(tx)
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
  const isAlone = !(await hasSecondPerson(deps, tx, { proposer: proposed.operatorId, staff, permission }))
  const id = await insertProposal(tx, { ...proposed, terms }, isAlone ? HOURS_ALONE : null)
  if (id === undefined) throw anotherWaits()
  const proposal = await getProposal(tx, id)
  await mailStaff(deps.vault, tx, staff, (to) =>
    proposedMail(to, { ...facts, takesEffectAt: proposal.takes_effect_at }),
  )
  await auditProposal(tx, proposal, {
    act: 'propose',
    actor: { kind: 'operator', id: proposed.operatorId },
    reason: proposed.reason,
    requestId: proposed.requestId,
  })
  return proposal
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

/** Lets one proposal take effect whose time has come; false when there is none. */
export async function takeEffect(deps: ProposalsDeps): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const due = await lockDueProposal(tx)
    if (due === undefined) return false
    const proposal = { ...due, terms: await termsOfOne(deps, tx, due) }
    const isDone = await isCarriedOut(deps, tx, proposal)
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

/** False also when the change was refused; refusals come before anything is written. */
async function isCarriedOut(
  deps: ProposalsDeps,
  tx: Tx,
  proposal: OwnProposal & { terms: ProposalTerms },
): Promise<boolean> {
  try {
    return await carryOut(deps, tx, { proposal, by: { operatorId: proposal.proposed_by.id } })
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

/** Proposals without a second operator take effect after their delay. */
export function startProposalJobs(deps: ProposalsDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'proposals', pauseMs: 30_000, round: () => takeEffect(deps) }])
}

type Deps = Pick<PlatformDeps, 'vault'>

type Pair = { proposer: string; decider: string; permission: Permission }

async function whyNoSecond({ vault }: Deps, tx: Tx, { proposer, decider: other, permission }: Pair) {
  const why = await whyOnePerson(tx, [proposer, other], permission)
  if (why !== null) return why
  return (await haveSameSecret(vault, tx, [proposer, other])) ? ('secret' as const) : null
}

/** Refuses an approval by the proposer, under whichever account. A person is an account, however many roles it holds. */
export async function assertSecondPerson(deps: Deps, tx: Tx, pair: Pair): Promise<void> {
  if (pair.proposer === pair.decider) throw ownProposal()
  const why = await whyNoSecond(deps, tx, pair)
  if (why !== null) throw samePerson(why)
}

/** Whether somebody else counts as a second person, by a role that they hold or that was taken in the last days. */
async function hasSecondPerson(
  deps: Deps,
  tx: Tx,
  {
    proposer,
    staff,
    permission,
  }: { proposer: string; staff: readonly StaffMember[]; permission: Permission },
): Promise<boolean> {
  for (const { id: decider, recentPermissions } of staff) {
    if (decider === proposer || !recentPermissions.includes(permission)) continue
    if ((await whyNoSecond(deps, tx, { proposer, decider, permission })) === null) return true
  }
  return false
}

type Receiver = { username: string; to: string }

type Facts = { title: string; terms: ProposalTerms; reason: string; proposer: string }

const IF_WRONG =
  'Nếu bạn thấy thay đổi này không đúng, hãy kiểm tra ngay tài khoản của người đề xuất và tài khoản nhận tiền của cổng.'

const termParagraphs = (terms: ProposalTerms): string[] => termsInWords(terms).map((line) => `– ${line}`)

/** `takesEffectAt` is null when a second person has to approve. */
const proposedMail = (
  receiver: Receiver,
  { title, terms, reason, proposer, takesEffectAt }: Facts & { takesEffectAt: string | null },
): Mail => ({
  ...receiver,
  kind: 'proposal-made',
  subject: `Đề xuất thay đổi: ${title}`,
  paragraphs: [
    `${proposer} đề xuất thay đổi “${title}”.`,
    ...termParagraphs(terms),
    `Lí do: ${reason}`,
    takesEffectAt === null
      ? 'Thay đổi chỉ có hiệu lực khi một người khác có quyền duyệt.'
      : `Không có ai khác giữ quyền này, nên thay đổi sẽ tự có hiệu lực lúc ${formatMoment(takesEffectAt)} (giờ Việt Nam) nếu không bị bác hay rút lại.`,
  ],
  closing: [IF_WRONG],
})

const doneMail = (receiver: Receiver, { title, terms, reason, proposer }: Facts): Mail => ({
  ...receiver,
  kind: 'proposal-done',
  subject: `Đã thay đổi: ${title}`,
  paragraphs: [
    `“${title}” vừa được thay đổi theo đề xuất của ${proposer}.`,
    ...termParagraphs(terms),
    `Lí do: ${reason}`,
  ],
  closing: [IF_WRONG],
})

/** Proposals name a player by id, and stay with the trail. */
export const personalProposals: PersonalPart = {
  lists: {},
  erase: eraseNothing,
  open: { proposal: countOpenProposals },
}
