import { type OperatorProposal, permissionsFor, PROPOSAL_REACH } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { listStaff, readTies, type StaffMember } from '#server/modules/accounts/index.ts'
import { groupsOfOneSecret } from '#server/modules/second-factor/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { sumApprovedAdjustments } from './proposals.queries.ts'
import { ownProposal, samePerson, type WhySamePerson } from './proposals.errors.ts'

type Deps = Pick<PlatformDeps, 'vault'>

type Proposal = Pick<OperatorProposal, 'kind' | 'subject' | 'payload' | 'parts' | 'proposed_by' | 'agreed_by'>

/** The staff, and who of it counts as another person than whom. */
export type People = {
  staff: readonly StaffMember[]
  /** By roles that bring all of these permissions; null: two people. */
  whyOnePerson(pair: readonly [string, string], permissions: readonly Permission[]): WhySamePerson | null
  /** Everybody who counts as another person than the proposer, by roles they hold or that were taken in the last days. */
  othersThan(proposer: string, permissions: readonly Permission[]): StaffMember[]
  /** How much TCoin one other person can agree to give to players or take from them, now. */
  adjustable(): Promise<number>
}

/** Reads once the staff, and which of it and of these others are one person. */
export async function readPeople({ vault }: Deps, db: Db | Tx, others: readonly string[]): Promise<People> {
  const staff = await listStaff(db)
  const known = [...new Set([...staff.map(({ id }) => id), ...others])]
  const whyTied = await readTies(db, known)
  const ofOneSecret = await groupsOfOneSecret(vault, db, known)
  let adjustable: Promise<number> | undefined
  const whyOnePerson: People['whyOnePerson'] = (pair, permissions) => {
    for (const id of pair)
      invariant(known.includes(id), 'two people are compared by what was read about both')
    const haveOneSecret = ofOneSecret.some((group) => pair.every((id) => group.includes(id)))
    const ties = permissions.map((permission) => whyTied(pair, permission))
    return ties.find((why) => why !== null) ?? (haveOneSecret ? 'secret' : null)
  }
  return {
    staff,
    whyOnePerson,
    othersThan: (proposer, permissions) =>
      staff.filter(
        ({ id, recentPermissions }) =>
          id !== proposer &&
          permissions.every((permission) => recentPermissions.includes(permission)) &&
          whyOnePerson([proposer, id], permissions) === null,
      ),
    adjustable: () => (adjustable ??= readAdjustable(db)),
  }
}

async function readAdjustable(db: Db | Tx): Promise<number> {
  const { agreedAdjustmentLimit } = await readSettings(db)
  return agreedAdjustmentLimit - (await sumApprovedAdjustments(db))
}

/** Refuses an approval by the proposer, under whichever account. A person is an account, however many roles it holds. */
export function assertSecondPerson(
  people: People,
  {
    proposer,
    decider,
    permissions,
  }: { proposer: string; decider: string; permissions: readonly Permission[] },
): void {
  if (proposer === decider) throw ownProposal()
  const why = people.whyOnePerson([proposer, decider], permissions)
  if (why !== null) throw samePerson(why)
}

/**
 * Whether everybody is asked, and not only one other person. A player does not wait, but what two people give away without
 * the others has a limit; transfers are bounded by the money that came, and goods given again by the limits of goods.
 */
async function needsEverybody(people: People, { kind, subject, payload, parts }: Proposal): Promise<boolean> {
  for (const change of [{ kind, subject, payload }, ...parts])
    if (await oneNeedsEverybody(people, change)) return true
  return false
}

async function oneNeedsEverybody(
  people: People,
  { kind, subject, payload }: Proposal['parts'][number],
): Promise<boolean> {
  const reach = PROPOSAL_REACH[kind]
  if (kind === 'adjustment') return Math.abs(Number(payload.after)) > (await people.adjustable())
  return reach === 'house' || (reach === 'by-account' && people.staff.some(({ id }) => id === subject))
}

/** Who is asked still; null where one other person is enough. */
export async function askedAbout(people: People, proposal: Proposal): Promise<StaffMember[] | null> {
  if (!(await needsEverybody(people, proposal))) return null
  const others = people.othersThan(proposal.proposed_by.id, permissionsFor(proposal))
  return others.filter(({ id }) => !proposal.agreed_by.some((agreed) => agreed.id === id))
}

/** With whom they wait for, those that are not decided. */
export async function withAsked(
  deps: Deps,
  db: Db | Tx,
  proposals: readonly OperatorProposal[],
): Promise<OperatorProposal[]> {
  if (!proposals.some(({ decided_at }) => decided_at === null)) return [...proposals]
  const people = await readPeople(
    deps,
    db,
    proposals.map(({ proposed_by }) => proposed_by.id),
  )
  const shown: OperatorProposal[] = []
  for (const proposal of proposals) {
    const asked = proposal.decided_at === null ? await askedAbout(people, proposal) : null
    shown.push({ ...proposal, asked: asked?.map(({ id, username }) => ({ id, username })) ?? null })
  }
  return shown
}
