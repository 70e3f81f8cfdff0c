import type { Good, WaitingReason } from '#contract/deliveries.ts'
import type { BoardCounts } from '#contract/game/board-counts.ts'
import type { GameLimits } from '#contract/game/limits.ts'

/** A character as the game returns it. */
export type GameCharacter = { id: string; name: string; head: number; classId: number; level: number }

/** A character as the portal knows it. */
export type KnownCharacter = GameCharacter & { serverId: string }

/** How a player is known in the game: by their strongest character. */
export type MainCharacter = Pick<GameCharacter, 'name' | 'head'>

/** Everything the game needs to deliver goods. `id` makes repeats harmless. */
export type GameDelivery = {
  id: string
  serverId: string
  /** The username in lower case. */
  account: string
  characterId: string
  goods: readonly Good[]
}

/** Luong that the game takes from a character, and gives back. `id` makes repeats harmless. */
export type GameCharge = {
  id: string
  serverId: string
  /** The username in lower case. */
  account: string
  characterId: string
  luong: number
}

/**
 * The result of one attempt. The first three are answers of the game. Without an answer: `not-received` means that
 * this attempt certainly never arrived, `unknown` that it may have.
 */
export type DeliverOutcome =
  | { kind: 'applied' }
  | { kind: 'refused'; reason: string }
  | { kind: 'conflict' }
  | { kind: 'not-received'; cause: string }
  | { kind: 'unknown'; cause: string }

/** The game's answer about a delivery. `unknown`: it was never applied so far, but still may be. */
export type DeliveryKnowledge = 'applied' | 'unknown' | 'cancelled'

/** Where the goods of an applied delivery are: with their character since then, or waiting, and why. */
export type Collection = { collectedAt: Date | null; waiting: WaitingReason | null }

/** What the game says about itself. */
export type GameDescription = {
  servers: { id: string; name: string; online?: number | undefined }[]
  boards: string[]
  items: { code: string; name: string; max: number }[]
  /** The most that a character, or its account, may hold. */
  max: { luong: number; yen: number }
  /** Names by number. */
  classes: Record<string, string>
  heads: number[]
  /** Of those heads that have one. */
  head_names?: Record<string, string> | undefined
  /** The last sign of life of what collects in the game; null before the first. */
  collectorSeenAt: Date | null
  /** When something last changed a character without the lock of its saves. */
  half_lock_seen_at?: string | null | undefined
  /** Whether luong can be taken from characters; a game that does not say it may not have the call. */
  charges?: boolean | undefined
  /** Whether it can show sentences of the portal to one player. */
  notices?: boolean | undefined
  limits?: GameLimits | undefined
  counts?: BoardCounts | undefined
}

/** What the game has to know about an account of the portal; of two changes the one with the higher version counts. */
export type AccountUpdate = {
  /** The username in lower case. */
  account: string
  isActivated: boolean
  bannedUntil: Date | null
  passwordChangedAt: Date | null
  version: number
}

/** A sentence for one player. `id` makes repeats harmless. */
export type GameNotice = { id: string; account: string; text: string; expiresAt: Date }

export type RankingRow = { name: string; classId: number; level: number; value: number; account: string }

export type RankingQuery = { serverId: string; limit: number; offset?: number }

export type NewCharacter = Omit<GameCharacter, 'id'> & { luong: number; yen: number }

/** Any game. Reads throw when no answer comes; `deliver` never throws: its outcomes are values. */
export type GameBridge = {
  listCharacters(serverId: string, account: string): Promise<GameCharacter[]>
  deliver(delivery: GameDelivery): Promise<DeliverOutcome>
  deliveryStatus(id: string): Promise<DeliveryKnowledge>
  /** From a `cancelled` on, the game refuses this delivery for good; `applied` means that it was too late. */
  cancel(id: string): Promise<'cancelled' | 'applied'>
  /** Like `deliver`: repeats are harmless and outcomes are values. A character with less luong is refused as `insufficient`. */
  charge(charge: GameCharge): Promise<DeliverOutcome>
  /**
   * Gives a charge back, once; one that never arrived is refused from then on. Throws when no answer comes;
   * `not-supported`: the game does not have the call.
   */
  refundCharge(id: string): Promise<'refunded' | 'not-supported'>
  /** From `offset` on, absent from the first; a game that does not know it answers the first ones. */
  rankings(board: string, query: RankingQuery): Promise<RankingRow[]>
  /**
   * Null when the game does not tell. Absent where goods are with their character as soon as the delivery is applied, as
   * in the embedded game.
   */
  collection?(id: string): Promise<Collection | null>
  /** Every change of an account up to `accountsUntil` was stored. Null when no game or proxy has the call (404). */
  describeGame?(about: { accountsUntil: Date | null }): Promise<GameDescription | null>
  /** `not-kept`: the game says that it keeps no accounts. Throws for whatever is no answer of the contract. */
  putAccount?(update: AccountUpdate): Promise<'stored' | 'not-kept'>
  /** Absent in the embedded game, where nobody can enter. Throws when no answer comes. */
  showNotice?(notice: GameNotice): Promise<void>
  /** Only in the embedded game: what it takes, which no call has to ask for. */
  ownDescription?: GameDescription
  /** Null when the game says that it keeps no accounts. Throws for whatever is no answer of the contract. */
  isAccountKnown?(account: string): Promise<boolean | null>
  /** Only in the embedded game: in a real one, characters are made by playing. Names that exist are left alone. */
  addCharacters?(serverId: string, account: string, characters: readonly NewCharacter[]): Promise<void>
}

/** What the HTTP game's answer to a delivery means; null for a body that is no JSON object. Anything outside the contract proves nothing. */
export function outcomeOfAnswer(
  status: number,
  body: { status?: unknown; reason?: unknown } | null,
): DeliverOutcome {
  if (status === 200 && body?.status === 'applied') return { kind: 'applied' }
  if (status === 409 && body !== null) return { kind: 'conflict' }
  if (status === 422 && body?.status === 'refused') {
    return { kind: 'refused', reason: typeof body.reason === 'string' ? body.reason : 'no reason given' }
  }
  // The two answers by which a server says that it did not take the request in.
  if (status === 429 || status === 503) return { kind: 'not-received', cause: `HTTP ${status}` }
  return { kind: 'unknown', cause: `HTTP ${status}` }
}

/** Pictures of heads are numbered class by class from 1, four of each. */
const LOOKS_PER_CLASS = 4

/**
 * How a starter's name begins, by class. No word is the beginning of another, so two accounts can never come to the
 * same name.
 */
const NAME_WORDS = ['moi', 'kiem', 'tieu', 'kunai', 'cung', 'dao', 'hai'] as const

/** FNV-1a: spreads account names evenly, and the same name always comes to the same number. */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

function starter(account: string, classId: number, levels: { from: number; to: number }): NewCharacter {
  const name = `${NAME_WORDS[classId]}${account}`
  const chance = spread(name)
  const level = levels.from + (chance % (levels.to - levels.from + 1))
  const look = (chance >>> 8) % LOOKS_PER_CLASS
  return { name, head: classId * LOOKS_PER_CLASS + look + 1, classId, level, luong: 0, yen: level * 10_000 }
}

/** The three characters a new account finds in the embedded game: a veteran, a younger one, and a newcomer. */
export function starterCharacters(account: string): NewCharacter[] {
  const chance = spread(account)
  const first = 1 + (chance % 6)
  const second = 1 + ((first + ((chance >>> 8) % 5)) % 6)
  return [
    starter(account, first, { from: 40, to: 90 }),
    starter(account, second, { from: 15, to: 39 }),
    starter(account, 0, { from: 1, to: 9 }),
  ]
}
