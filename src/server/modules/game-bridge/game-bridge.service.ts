import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Log } from '#server/platform/log/log.ts'
import { shareOfMachine } from '#server/platform/process/identity.ts'
import { waitAtMost } from '#server/platform/values/clock.ts'
import {
  charactersOfPerson,
  deleteOtherCharacters,
  eraseCharactersOf,
  findFetch,
  selectKnownCharacters,
  upsertCharacters,
  upsertFetch,
} from './characters.queries.ts'
import { openEmbeddedGame } from './embedded-game.client.ts'
import {
  type GameBridge,
  type KnownCharacter,
  type NewCharacter,
  starterCharacters,
} from './game-bridge.rules.ts'
import { openHttpGame, type HttpGame } from './http-game.client.ts'

/** Values that statements of other modules read. */
export { knownCharacter, mainCharacter } from './characters.queries.ts'

/** The configured game server, or else the embedded game in the portal's own database. */
export function openGameBridge({ db, log, http }: { db: Db; log: Log; http: HttpGame | null }): GameBridge {
  return http === null ? openEmbeddedGame({ db, log }) : openHttpGame(http, log)
}

export type CharactersDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

type CharacterOwner = { id: string; username: string; serverId: string }

/** A list with characters, and one without any: a new player makes the first one at any moment. */
const STALE = { seconds: 60, emptySeconds: 5 }
const FIRST_WAIT_MS = 2_000
/** With a game that hangs, this many calls wait for it at once; the next players see what the table has. */
const FETCHES_MAX = shareOfMachine(32)

/** The running fetches by player, for each game: concurrent callers share one. */
const fetchesOf = new WeakMap<GameBridge, Map<string, Promise<void>>>()

export type CharacterList = { characters: KnownCharacter[]; fetchedAt: Date | null }

/**
 * The player's characters as the portal knows them, at once. What is older than a minute is fetched again in the
 * background. Only a player of whom no character is known waits for the game, and not for long.
 */
export async function listKnownCharacters(
  deps: CharactersDeps,
  owner: CharacterOwner,
): Promise<CharacterList> {
  let fetch = await findFetch(deps.db, owner.id, STALE)
  if (!fetch || (fetch.isStale && fetch.isEmpty)) {
    await waitAtMost(FIRST_WAIT_MS, refreshCharacters(deps, owner))
    fetch = await findFetch(deps.db, owner.id, STALE)
  } else if (fetch.isStale) void refreshCharacters(deps, owner)
  if (!fetch) return { characters: [], fetchedAt: null }
  return { characters: await selectKnownCharacters(deps.db, owner.id), fetchedAt: fetch.fetchedAt }
}

/** Every character the portal knows of a player, on all servers. */
export const listCharactersOf = (db: Db | Tx, userId: string): Promise<KnownCharacter[]> =>
  selectKnownCharacters(db, userId)

/** False for a player whose characters were never fetched from the game. */
export async function areCharactersKnown(deps: CharactersDeps, userId: string): Promise<boolean> {
  return (await findFetch(deps.db, userId, STALE)) !== undefined
}

/** Reads the player's characters from the game into the portal's table. Never rejects: the table just stays old. */
export function refreshCharacters(deps: CharactersDeps, owner: CharacterOwner): Promise<void> {
  const fetches = fetchesOf.get(deps.game) ?? new Map<string, Promise<void>>()
  fetchesOf.set(deps.game, fetches)
  const running = fetches.get(owner.id)
  if (running) return running
  if (fetches.size >= FETCHES_MAX) return Promise.resolve()
  const fetching = fetchCharacters(deps, owner)
    .catch((error: unknown) =>
      deps.log.warn({ err: error, userId: owner.id }, 'characters could not be fetched'),
    )
    .finally(() => fetches.delete(owner.id))
  fetches.set(owner.id, fetching)
  return fetching
}

async function fetchCharacters({ db, game }: CharactersDeps, owner: CharacterOwner): Promise<void> {
  const fetched = await game.listCharacters(owner.serverId, owner.username.toLowerCase())
  await inTransaction(db, async (tx) => {
    await upsertFetch(tx, owner.id)
    await deleteOtherCharacters(
      tx,
      owner.id,
      fetched.map((character) => character.id),
    )
    if (fetched.length > 0) await upsertCharacters(tx, owner, fetched)
  })
}

type Place = { username: string; serverId: string }

/** Gives a new account of the embedded game its first characters. Repeats change nothing, and a real game is not changed. */
export async function giveStarterCharacters(game: GameBridge, { username, serverId }: Place): Promise<void> {
  if (!game.addCharacters) return
  const account = username.toLowerCase()
  const present = await game.listCharacters(serverId, account)
  if (present.length > 0) return
  await game.addCharacters(serverId, account, starterCharacters(account))
}

/** The characters of a demo account, as its seed names them. */
export async function seedCharacters(
  game: GameBridge,
  { username, serverId, characters }: Place & { characters: readonly NewCharacter[] },
): Promise<void> {
  await game.addCharacters?.(serverId, username.toLowerCase(), characters)
}

/** A real game stores its own records; of the embedded one the characters lose account and name. */
export const personalCharacters: PersonalPart = {
  lists: { characters: charactersOfPerson },
  erase: eraseCharactersOf,
}
