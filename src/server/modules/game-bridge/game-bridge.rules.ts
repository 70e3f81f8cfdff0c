import type { Good } from '#contract/deliveries.ts'

/** A character as the game returns it. */
export type GameCharacter = { id: string; name: string; head: number; classId: number; level: number }

/** Everything the game needs to deliver goods. `id` makes repeats harmless. */
export type GameDelivery = {
  id: string
  serverId: string
  /** The username in lower case. */
  account: string
  characterId: string
  goods: readonly Good[]
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

/** What the game says of a delivery when asked. `unknown`: it was never applied so far, but still may be. */
export type DeliveryKnowledge = 'applied' | 'unknown' | 'cancelled'

export type RankingRow = { name: string; classId: number; level: number; value: number; account: string }

export type NewCharacter = Omit<GameCharacter, 'id'> & { luong: number; yen: number }

/** Any game. Reads throw when no answer comes; `deliver` never throws: its outcomes are values. */
export type GameBridge = {
  listCharacters(serverId: string, account: string): Promise<GameCharacter[]>
  deliver(delivery: GameDelivery): Promise<DeliverOutcome>
  deliveryStatus(id: string): Promise<DeliveryKnowledge>
  /** From a `cancelled` on, the game refuses this delivery for good; `applied` means that it was too late. */
  cancel(id: string): Promise<'cancelled' | 'applied'>
  rankings(board: string, wanted: { serverId: string; limit: number }): Promise<RankingRow[]>
  /** Only in the embedded game: in a real one, characters are made by playing. Names that exist are left alone. */
  addCharacters?(serverId: string, account: string, characters: readonly NewCharacter[]): Promise<void>
}

/** What the HTTP game's answer to a delivery means. Anything outside the contract proves nothing. */
export function outcomeOfAnswer(
  status: number,
  body: { status?: unknown; reason?: unknown } | null,
): DeliverOutcome {
  if (status === 200 && body?.status === 'applied') return { kind: 'applied' }
  if (status === 409) return { kind: 'conflict' }
  if (status === 422 && body?.status === 'refused') {
    return { kind: 'refused', reason: typeof body.reason === 'string' ? body.reason : 'no reason given' }
  }
  // The two answers by which a server says that it did not take the request in.
  if (status === 429 || status === 503) return { kind: 'not-received', cause: `HTTP ${status}` }
  return { kind: 'unknown', cause: `HTTP ${status}` }
}
