import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { priceNow, readApplied, textOf, type Applied } from './game-record.rules.ts'
import { selectKnown } from './operator.queries.ts'

/** Goods the game handed over that the portal does not know, or for which it gave the TCoin back. */
export type RecordDifference = {
  id: string
  found: 'not known here' | 'refunded here'
  account: string | null
  at: string | null
  goods: string | null
  /** TCoin: what was paid, of a purchase not known here what these goods cost now. */
  amount: number | null
}

const ASKED_AT_ONCE = 1_000

/** Which of these deliveries there are. */
export const knownDeliveries = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await selectKnown(db, ids)).keys())

/**
 * Holds the game's own record of what it applied against the deliveries: after a restore it shows the purchases that the
 * backup did not have yet. Bounded memory, whatever the record's length; other lines are passed over. `seen` counts what was compared.
 */
export async function* differencesWithGame(
  db: Db,
  lines: AsyncIterable<string>,
  seen: { applied: number },
): AsyncGenerator<RecordDifference> {
  let applied: Applied[] = []
  for await (const line of lines) {
    const row = readApplied(line)
    if (row !== null) {
      seen.applied++
      applied.push(row)
    }
    if (applied.length < ASKED_AT_ONCE) continue
    yield* differencesOf(db, applied)
    applied = []
  }
  if (applied.length > 0) yield* differencesOf(db, applied)
}

async function* differencesOf(db: Db, applied: readonly Applied[]): AsyncGenerator<RecordDifference> {
  const known = await selectKnown(
    db,
    applied.map(({ id }) => id),
  )
  const terms = await readSettings(db)
  for (const { id, account, goods, at } of applied) {
    const here = known.get(id)
    if (here === undefined)
      yield {
        id,
        found: 'not known here',
        account,
        at,
        goods: goods && textOf(goods),
        amount: goods && priceNow(goods, terms),
      }
    if (here?.state === 'refunded')
      yield {
        id,
        found: 'refunded here',
        account: here.account,
        at: here.settled_at?.toISOString() ?? null,
        goods: textOf(here.goods),
        amount: Number(here.amount),
      }
  }
}
