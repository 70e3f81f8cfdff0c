import { findPerson } from '#server/modules/accounts/index.ts'
import { listCharactersOf } from '#server/modules/game-bridge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { Person } from '#server/platform/personal.ts'

/** Throws NOT_FOUND for a name that nobody has, or has any more. */
export async function getPerson(db: Db | Tx, username: string): Promise<Person> {
  const found = await findPerson(db, username)
  if (found === undefined) throw notFound()
  return { ...found, characters: await listCharactersOf(db, found.id) }
}
