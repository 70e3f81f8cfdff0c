import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, GameBridge } from '#server/modules/game-bridge/index.ts'
import { messageOf } from '#server/platform/values/errors.ts'

type Check = {
  game: GameBridge
  /** The account in the game. */
  account: string
  /** Where its characters are looked for, besides the servers that the game names. */
  serverIds: readonly string[]
  print: (line: string) => void
  waitMs?: number
  pauseMs?: number
}

const WAIT_MS = 60_000
const PAUSE_MS = 1_000

/** A step that went wrong, and what the owner can do about it. */
class Failed extends Error {}

/**
 * The whole way of goods into the game, with one yen that nobody buys, or one luong in a game without yen: connects, lists the
 * characters, delivers and waits until it was collected. Prints a line for each step; answers the exit code.
 */
export async function checkGame(check: Check): Promise<number> {
  const { print, account } = check
  try {
    const { serverIds, kind } = await describe(check)
    const { serverId, characterId } = await firstCharacter(check, serverIds)
    const id = randomUUID()
    await deliver(check, { id, serverId, account, characterId, goods: [{ kind, quantity: 1 }] })
    await waitUntilCollected(check, id)
    return 0
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    print(`failed    ${error.message}`)
    return 1
  }
}

type Described = { serverIds: string[]; kind: 'yen' | 'luong' }

async function describe({ game, serverIds, print }: Check): Promise<Described> {
  if (!game.describeGame)
    throw new Failed(
      'no game is connected: set GAME_SERVER_URL and GAME_SERVER_SECRET (docs/runbooks/connect-a-game.md)',
    )
  try {
    const described = await game.describeGame({ accountsUntil: null })
    if (described === null) {
      print('connected the game answers, and says nothing about itself (GET /v1/game: 404)')
      return { serverIds: [...serverIds], kind: 'yen' }
    }
    const ids = described.servers.map(({ id }) => id)
    const seen = described.collectorSeenAt?.toISOString() ?? 'never'
    print(`connected servers ${ids.join(', ')}; sign of life of its collector: ${seen}`)
    return {
      serverIds: [...new Set([...ids, ...serverIds])],
      kind: described.max.yen > 0 ? 'yen' : 'luong',
    }
  } catch (error) {
    throw new Failed(
      `the game gives no answer to GET /v1/game (${messageOf(error)}): start it, or correct GAME_SERVER_URL; after HTTP 401 correct GAME_SERVER_SECRET, the same on both sides`,
    )
  }
}

async function firstCharacter(
  { game, account, print }: Check,
  serverIds: readonly string[],
): Promise<{ serverId: string; characterId: string }> {
  for (const serverId of serverIds) {
    const characters = await game.listCharacters(serverId, account).catch((error: unknown) => {
      throw new Failed(
        `the game gives no list of characters of server ${serverId} (${messageOf(error)}): see its own log; the call is GET /v1/characters`,
      )
    })
    const [first] = characters
    if (first === undefined) continue
    print(
      `listed    characters on server ${serverId}: ${characters.length}; the first is ${first.name}, id ${first.id}`,
    )
    return { serverId, characterId: first.id }
  }
  throw new Failed(
    `the game lists no character of ${account} on the servers ${serverIds.join(', ')}: name an account of the game in lower case, make a character with it, or correct the server ids at /admin/servers`,
  )
}

async function deliver(
  { game, print }: Check,
  delivery: Parameters<GameBridge['deliver']>[0],
): Promise<void> {
  const outcome = await game.deliver(delivery)
  switch (outcome.kind) {
    case 'applied':
      print(`applied   one ${delivery.goods[0]?.kind}, delivery ${delivery.id}`)
      return
    case 'refused':
      throw new Failed(
        `the game refused one ${delivery.goods[0]?.kind} (${outcome.reason}): its adapter must find the character that it listed, by the same server, account and id`,
      )
    case 'conflict':
      throw new Failed('the game answered 409 to an id that is new: it must compare ids as they are written')
    case 'not-received':
    case 'unknown':
      throw new Failed(
        `the game did not answer PUT /v1/deliveries (${outcome.cause}): see its own log and its database, then run the check again`,
      )
  }
}

const WAITING = {
  offline: 'the character is offline: log in with it',
  'bag-full': 'the bag of the character is full: make room',
  'over-limit': 'the character holds as much as it may: take another account',
  'unknown-item': 'the game takes yen or luong for an unknown item: correct what collects in the game',
} as const

const NOBODY_COLLECTS =
  'it was applied, and nothing collects it: start what collects in the game (docs/runbooks/connect-a-game.md) and see its log'

async function waitUntilCollected(check: Check, id: string): Promise<void> {
  const { game, print, waitMs = WAIT_MS, pauseMs = PAUSE_MS } = check
  const endsAt = performance.now() + waitMs
  let collection: Collection | null = null
  let named: Collection['waiting'] = null
  while (performance.now() < endsAt) {
    try {
      collection = (await game.collection?.(id)) ?? null
    } catch (error) {
      throw new Failed(
        `the game did not answer GET /v1/deliveries/${id} (${messageOf(error)}): see its own log`,
      )
    }
    if (collection === null)
      throw new Failed(
        'the game does not tell when goods are collected: answer GET /v1/deliveries/{id} with collected_at and waiting, else nobody notices goods that reach no character',
      )
    if (collection.collectedAt !== null) {
      print(`collected at ${collection.collectedAt.toISOString()}: goods reach characters`)
      return
    }
    if (collection.waiting !== null && collection.waiting !== named) {
      named = collection.waiting
      print(`waiting   ${WAITING[named]}; tried for ${Math.round(waitMs / 1_000)} s`)
    }
    await sleep(pauseMs)
  }
  throw new Failed(
    collection?.waiting ? `${WAITING[collection.waiting]}, and run the check again` : NOBODY_COLLECTS,
  )
}
