import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countsOf } from './numbers.ts'
import type { ConfirmedAct } from './players.ts'

export const readRows = async (gameDir: string) => (await readJournal(join(gameDir, JOURNAL_FILE))).rows

/** What the game applied, by its own journal; with a moment (ms), only before it. */
async function appliedRows(gameDir: string, before = Infinity) {
  const rows = await readRows(gameDir)
  const isMeant = ({ at = '' }: (typeof rows)[number]) => before === Infinity || Date.parse(at) < before
  return rows.flatMap((row) => (row.status === 'applied' && isMeant(row) ? row : []))
}

/** How often the game applied each delivery. */
export const appliedTimes = async (gameDir: string, before?: number): Promise<Map<string, number>> =>
  countsOf((await appliedRows(gameDir, before)).map(({ id }) => id))

type Bought = {
  gameDir: string
  confirmed: readonly ConfirmedAct[]
  refunded: ReadonlySet<string>
  /** False where a program that asks nothing about collected goods has delivered too. */
  isEachFollowed: boolean
}

/** Purchases and deliveries against the game's journal; figures that all have to be zero. */
export async function verifyJournal(
  db: Db,
  { gameDir, confirmed, refunded, isEachFollowed }: Bought,
): Promise<Record<string, number>> {
  const rows = await appliedRows(gameDir)
  const applied = countsOf(rows.map(({ id }) => id))
  const chains = await chainsOf(db)
  const isApplied = (id: string) => (chains.get(id) ?? [id]).some((one) => applied.has(one))
  const bought = confirmed.filter((one) => one.act === 'exchange' || one.act === 'gift')
  const wasRefunded = ({ deliveryId }: { deliveryId: string }) => refunded.has(deliveryId)
  return {
    ...(await compareWithJournal(db, applied)),
    ...(await compareCollected(db, gameDir, isEachFollowed)),
    goodsWrong: await countOtherGoods(db, rows),
    boughtNotDelivered: bought.filter((one) => !wasRefunded(one) && !isApplied(one.deliveryId)).length,
    giftsTwice: [
      ...countsOf(
        bought.flatMap((one) => (one.act === 'gift' && !wasRefunded(one) ? [one.player] : [])),
      ).values(),
    ].filter((times) => times > 1).length,
  }
}

/** Deliveries for which the game gave other goods, or gave them to another character, than the books say. */
async function countOtherGoods(db: Db, applied: Awaited<ReturnType<typeof appliedRows>>): Promise<number> {
  const stored = await db.selectFrom('delivery').select(['id', 'character_id', 'goods']).execute()
  const promised = new Map(stored.map(({ id, character_id, goods }) => [id, [character_id, goods]]))
  const isOther = (id: string, given: unknown) =>
    promised.has(id) && !isDeepStrictEqual(given, promised.get(id))
  return applied.filter(({ id, delivery }) => isOther(id, [delivery.characterId, delivery.goods])).length
}

/** Each purchase with the deliveries that gave its goods again, by its id; in the order in which they were made. */
async function chainsOf(db: Db): Promise<Map<string, string[]>> {
  const rows = await db.selectFrom('delivery').select(['id', 'replaces']).orderBy('created_at').execute()
  const chains = new Map<string, string[]>()
  const rootOf = new Map<string, string>()
  for (const { id, replaces } of rows) {
    const root = (replaces !== null && rootOf.get(replaces)) || id
    rootOf.set(id, root)
    chains.set(root, [...(chains.get(root) ?? []), id])
  }
  return chains
}

/** Holds the final states of deliveries, and those that were given again, against the game's journal. */
export async function compareWithJournal(db: Db, applied: ReadonlyMap<string, number>) {
  const stored = await db.selectFrom('delivery').select(['id', 'state', 'replaces']).execute()
  const isReplaced = replacedIn(stored)
  const count = (kind: string, isApplied: boolean) =>
    stored.filter(({ id, state }) => state === kind && !isReplaced(id) && applied.has(id) === isApplied)
      .length
  const timesGiven = (chain: readonly string[]) => chain.filter((id) => applied.has(id)).length
  return {
    deliveredTwice: [...applied.values()].filter((times) => times > 1).length,
    givenAgainTwice: [...(await chainsOf(db)).values()].filter((chain) => timesGiven(chain) > 1).length,
    deliveredNotApplied: count('delivered', false),
    refundedButDelivered: count('refunded', true),
  }
}

type Stored = { id: string; state: string; replaces: string | null }

/** What the game lost, as far as it was given again. */
function replacedIn(stored: readonly Stored[]): (id: string) => boolean {
  const replaced = new Set(stored.flatMap(({ replaces, state }) => (state === 'refunded' ? [] : replaces)))
  return (id) => replaced.has(id)
}

/** The portal asks after 1, 3, 10, 30 and 60 s, and then as long again as it has asked already. */
const SHOWN_MS_MAX = 300_000

/** What the game has given to characters against what the portal shows of that; waits until it has asked about all. */
async function compareCollected(db: Db, gameDir: string, isEachFollowed: boolean) {
  const end = performance.now() + SHOWN_MS_MAX
  for (;;) {
    const compared = await compareCollectedNow(db, gameDir, isEachFollowed)
    if (compared.collectedNotShown === 0 || performance.now() > end) return compared
    await sleep(500)
  }
}

async function compareCollectedNow(db: Db, gameDir: string, isEachFollowed: boolean) {
  const rows = (await readRows(gameDir)).filter(({ status }) => status === 'collected')
  const collected = countsOf(rows.map(({ id }) => id))
  const stored = await db
    .selectFrom('delivery')
    .leftJoin('delivery_collection', 'delivery_id', 'id')
    .select(['id', 'state', 'replaces', sql<boolean>`collected_at IS NOT NULL`.as('isShown')])
    .select(sql<boolean>`delivery_id IS NOT NULL`.as('isFollowed'))
    .execute()
  const isReplaced = replacedIn(stored)
  const present = stored.filter(
    ({ id, state, isFollowed }) => state === 'delivered' && !isReplaced(id) && (isEachFollowed || isFollowed),
  )
  return {
    collectedTwice: [...collected.values()].filter((times) => times > 1).length,
    collectedNotShown: present.filter(({ id, isShown }) => collected.has(id) && !isShown).length,
    shownNotCollected: present.filter(({ id, isShown }) => !collected.has(id) && isShown).length,
  }
}
