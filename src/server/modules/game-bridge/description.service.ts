import { randomUUID } from 'node:crypto'
import { contentChanges } from '#server/domain/content.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import {
  findCollector,
  findToldNames,
  storeDescription,
  type StoredDescription,
  takesNotices,
} from './description.queries.ts'
import type { GameBridge } from './game-bridge.rules.ts'

/** What other modules read of what the game says about itself. */
export { countOf, findGameLimits, isRankedByLevel, tellsCollection } from './description.queries.ts'

/** A collector that gave no sign of life for so long is silent; the alarm's query has the same figure. */
export const SILENT_SECONDS = 120

/** Whether the game shows sentences to one player now. A game that has been silent for some minutes does not. */
export const showsNotices = (db: Db): Promise<boolean> => takesNotices(db, 3 * SILENT_SECONDS)

type GameDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

/** What players read of it is read anew. */
const store = (db: Db, read: StoredDescription): Promise<void> =>
  inTransaction(db, async (tx) => {
    const before = await findToldNames(tx)
    await storeDescription(tx, read)
    if ((await findToldNames(tx)) !== before) await contentChanges(tx, 'game-names')
  })

/** Stores what the game says about itself. While it cannot be read, what it said last stays. */
async function readGame({ db, log, game }: GameDeps, findAccountsUntil: AccountsUntil): Promise<void> {
  const accountsUntil = await findAccountsUntil()
  let read
  try {
    const description = (await game.describeGame?.({ accountsUntil })) ?? null
    // No delivery has this id: only whether the answer has the fields is of interest.
    read = { description, isCollectionTold: ((await game.collection?.(randomUUID())) ?? null) !== null }
  } catch (error) {
    log.warn({ err: error }, 'what the game says about itself could not be read')
    return
  }
  await store(db, read)
}

type Collector = { seen_at: string | null; read_at: string; is_silent: boolean }

/** The sign of life of what collects in the game, for operators; null while the game tells nothing of it. */
export async function readCollector(db: Db): Promise<Collector | null> {
  const found = await findCollector(db, SILENT_SECONDS)
  if (found === undefined) return null
  const { seenAt, readAt, isSilent } = found
  return { seen_at: seenAt?.toISOString() ?? null, read_at: readAt.toISOString(), is_silent: isSilent }
}

const MINUTE_MS = 60_000

/** The moment up to which the game has answered every change of an account. */
type AccountsUntil = () => Promise<Date>

/** Reads a real game's description each minute; what the embedded game takes is stored as one too. */
export function startGameJobs(deps: GameDeps, findAccountsUntil: AccountsUntil): Loop[] {
  const { describeGame, ownDescription: description } = deps.game
  if (!describeGame && !description) return []
  const round = description
    ? () => store(deps.db, { description, isCollectionTold: false })
    : () => readGame(deps, findAccountsUntil)
  return startLoops(deps.log, [{ name: 'description of the game', pauseMs: MINUTE_MS, round }])
}
