import { type OperatorProposal, PROPOSAL_PERMISSIONS, PROPOSAL_REACH } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { listStaff, readTies, type StaffMember } from '#server/modules/accounts/index.ts'
import { haveSameSecret } from '#server/modules/second-factor/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { sumApprovedAdjustments } from './proposals.queries.ts'
import { ownProposal, samePerson, type WhySamePerson } from './proposals.errors.ts'

type Deps = Pick<PlatformDeps, 'vault'>

type Proposal = Pick<OperatorProposal, 'kind' | 'subject' | 'payload' | 'proposed_by' | 'agreed_by'>

/** The staff, and who of it counts as another person than whom. */
export type People = {
  staff: readonly StaffMember[]
  whyOnePerson(pair: readonly [string, string], permission: Permission): Promise<WhySamePerson | null>
  /** Everybody who counts as another person than the proposer, by a role they hold or that was taken in the last days. */
  othersThan(proposer: string, permission: Permission): Promise<StaffMember[]>
  /** How much TCoin one other person can agree to give to players or take from them, now. */
  adjustable(): Promise<number>
}

/** Reads the staff once; what has to be looked up for two people is looked up once for them. */
export async function readPeople({ vault }: Deps, db: Db | Tx): Promise<People> {
  const staff = await listStaff(db)
  const whyTied = await readTies(db)
  const known = new Map<string, Promise<boolean>>()
  let adjustable: Promise<number> | undefined
  const haveOneSecret = (pair: readonly [string, string]): Promise<boolean> => {
    const found = known.get(pair.join()) ?? haveSameSecret(vault, db, pair)
    known.set(pair.join(), found)
    return found
  }
  const whyOnePerson: People['whyOnePerson'] = async (pair, permission) =>
    (await whyTied(pair, permission)) ?? ((await haveOneSecret(pair)) ? 'secret' : null)
  return {
    staff,
    whyOnePerson,
    async othersThan(proposer, permission) {
      const others: StaffMember[] = []
      for (const one of staff) {
        if (one.id === proposer || !one.recentPermissions.includes(permission)) continue
        if ((await whyOnePerson([proposer, one.id], permission)) === null) others.push(one)
      }
      return others
    },
    adjustable: () => (adjustable ??= readAdjustable(db)),
  }
}

async function readAdjustable(db: Db | Tx): Promise<number> {
  const { agreedAdjustmentLimit } = await readSettings(db)
  return agreedAdjustmentLimit - (await sumApprovedAdjustments(db))
}

/** Refuses an approval by the proposer, under whichever account. A person is an account, however many roles it holds. */
export async function assertSecondPerson(
  people: People,
  { proposer, decider, permission }: { proposer: string; decider: string; permission: Permission },
): Promise<void> {
  if (proposer === decider) throw ownProposal()
  const why = await people.whyOnePerson([proposer, decider], permission)
  if (why !== null) throw samePerson(why)
}

/**
 * Whether everybody is asked, and not only one other person. A player does not wait, but what two people give away without
 * the others has a limit; transfers are bounded by the money that came, and goods given again by the limits of goods.
 */
async function needsEverybody(people: People, { kind, subject, payload }: Proposal): Promise<boolean> {
  const reach = PROPOSAL_REACH[kind]
  if (kind === 'adjustment') return Math.abs(Number(payload.after)) > (await people.adjustable())
  return reach === 'house' || (reach === 'by-account' && people.staff.some(({ id }) => id === subject))
}

/** Who is asked still; null where one other person is enough. */
export async function askedAbout(people: People, proposal: Proposal): Promise<StaffMember[] | null> {
  if (!(await needsEverybody(people, proposal))) return null
  const others = await people.othersThan(proposal.proposed_by.id, PROPOSAL_PERMISSIONS[proposal.kind])
  return others.filter(({ id }) => !proposal.agreed_by.some((agreed) => agreed.id === id))
}

/** With whom they wait for, those that are not decided. */
export async function withAsked(
  deps: Deps,
  db: Db | Tx,
  proposals: readonly OperatorProposal[],
): Promise<OperatorProposal[]> {
  if (!proposals.some(({ decided_at }) => decided_at === null)) return [...proposals]
  const people = await readPeople(deps, db)
  const shown: OperatorProposal[] = []
  for (const proposal of proposals) {
    const asked = proposal.decided_at === null ? await askedAbout(people, proposal) : null
    shown.push({ ...proposal, asked: asked?.map(({ id, username }) => ({ id, username })) ?? null })
  }
  return shown
}
