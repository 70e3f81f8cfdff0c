import { shownText } from '#contract/name-texts.ts'
import { skeletonOf } from '#server/domain/name-skeleton.rules.ts'
import { findNameOfStaff } from '#server/modules/accounts/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { firstTwice } from './draw.rules.ts'
import { findTakenNames } from './teams.queries.ts'
import { nameOfStaff, nameTaken } from './tournaments.errors.ts'

/** What a team is to be called; undefined where it keeps its name, which may be older than the rule of names. */
export const newNameOf = (team: { name: string }, given: string | undefined): string | undefined =>
  given === undefined || given === shownText(team.name) ? undefined : given

type NewNames = {
  tournamentId: string
  /** Of the input that has the names. */
  field: string
  names: readonly string[]
  /** The team whose own name does not count; absent for new ones. */
  teamId?: string
}

/** Each name once in the tournament, also by its look, and none of staff’s. */
export async function assertNamesFree(
  tx: Tx,
  { tournamentId, field, names, teamId = '0' }: NewNames,
): Promise<void> {
  const posing = await findNameOfStaff(tx, names)
  if (posing !== undefined) throw nameOfStaff(field, posing)
  const taken = await findTakenNames(tx, { tournamentId, teamId, names })
  const name = firstTwice(names, skeletonOf) ?? taken[0]
  if (name !== undefined) throw nameTaken(field, name)
}
