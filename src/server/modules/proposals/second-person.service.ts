import { whyOnePerson } from '#server/modules/accounts/index.ts'
import { haveSameSecret } from '#server/modules/second-factor/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { ownProposal, samePerson } from './proposals.errors.ts'

type Deps = Pick<PlatformDeps, 'vault'>

async function whyNoSecond({ vault }: Deps, tx: Tx, [proposer, other]: readonly [string, string]) {
  const why = await whyOnePerson(tx, [proposer, other])
  if (why !== null) return why
  return (await haveSameSecret(vault, tx, [proposer, other])) ? ('secret' as const) : null
}

/** Refuses an approval by the proposer, under whichever account. A person is an account, however many roles it holds. */
export async function assertSecondPerson(
  deps: Deps,
  tx: Tx,
  { proposer, decider }: { proposer: string; decider: string },
): Promise<void> {
  if (proposer === decider) throw ownProposal()
  const why = await whyNoSecond(deps, tx, [proposer, decider])
  if (why !== null) throw samePerson(why)
}

/** Whether one of the others counts as a second person. */
export async function hasSecondPerson(
  deps: Deps,
  tx: Tx,
  { proposer, others }: { proposer: string; others: readonly string[] },
): Promise<boolean> {
  for (const other of others) {
    if (other !== proposer && (await whyNoSecond(deps, tx, [proposer, other])) === null) return true
  }
  return false
}
