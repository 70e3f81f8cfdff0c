import type { Db } from '#server/platform/db/database.ts'
import { isDeliveryId } from './deliveries.rules.ts'
import { selectStates } from './game-record.queries.ts'

/** Goods the game handed over that the portal does not know, or for which it gave the TCoin back. */
export type RecordDifference = { id: string; found: 'not known here' | 'refunded here' }

const ASKED_AT_ONCE = 1_000

/**
 * Holds the game's own record, the ids of what it applied, against the deliveries: after a restore it shows the purchases
 * that the backup did not have yet. Bounded memory, whatever the record's length; other lines are passed over.
 */
export async function* differencesWithGame(
  db: Db,
  lines: AsyncIterable<string>,
): AsyncGenerator<RecordDifference> {
  let ids: string[] = []
  for await (const line of lines) {
    const id = line.trim().toLowerCase()
    if (isDeliveryId(id)) ids.push(id)
    if (ids.length < ASKED_AT_ONCE) continue
    yield* differencesOf(db, ids)
    ids = []
  }
  if (ids.length > 0) yield* differencesOf(db, ids)
}

async function* differencesOf(db: Db, ids: readonly string[]): AsyncGenerator<RecordDifference> {
  const states = await selectStates(db, ids)
  for (const id of ids) {
    const state = states.get(id)
    if (state === undefined) yield { id, found: 'not known here' }
    if (state === 'refunded') yield { id, found: 'refunded here' }
  }
}
