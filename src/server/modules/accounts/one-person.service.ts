import type { Tx } from '#server/platform/db/transaction.ts'
import { haveHadOnePhone, recentGrants } from './one-person.queries.ts'

/**
 * Why two accounts are not two people: they hold their roles from each other or from the same hands, in the last seven days
 * and however many stand between; or they have had one phone. Null when they may be two.
 */
export async function whyOnePerson(
  tx: Tx,
  [one, other]: readonly [string, string],
): Promise<'granted' | 'phone' | null> {
  if (connected(await recentGrants(tx), one).has(other)) return 'granted'
  return (await haveHadOnePhone(tx, [one, other])) ? 'phone' : null
}

/** Everybody whom a chain of roles given ties to somebody, in either direction. */
function connected(grants: readonly { to: string; by: string }[], from: string): Set<string> {
  const reached = new Set([from])
  for (const id of reached) {
    for (const { to, by } of grants) {
      if (to === id) reached.add(by)
      if (by === id) reached.add(to)
    }
  }
  return reached
}
