import type { Good, WaitingReason } from '#contract/deliveries.ts'
import type { Character, Charge, Delivery, World } from './world.ts'

/** How applied goods come to their characters; changed by tests and over the control server. */
export type CollectingSettings = {
  /** False: nothing collects, and nothing says why, as when that part of a game has stopped. */
  isOn: boolean
  /** Ids of characters that are not in the game now. */
  offline: string[]
  /** How many items fit into a bag. */
  bagMax: number
  /** A reason for which everything waits, whatever is true of the character. */
  reason: WaitingReason | null
}

const COLLECTS_AT_ONCE: CollectingSettings = { isOn: true, offline: [], bagMax: 100_000, reason: null }

/** The most that a character may hold: the largest round number below 2^31. */
export const HELD_MAX = { luong: 2_000_000_000, yen: 2_000_000_000 }

export const ITEMS = [
  { code: 'pet', name: 'Thú cưng', max: 100_000 },
  { code: 'companion', name: 'Bạn đồng hành', max: 100_000 },
]

/** Where the goods of a delivery are, in the words of the contract. */
type CollectionAnswer = { collected_at: string | null; waiting: WaitingReason | null }

/** The part of the game that collects: gives the goods of each applied delivery to their character, once. */
export class Collector {
  readonly #world: World
  /** Stores that a delivery was collected. */
  readonly #store: (id: string, at: string) => void
  readonly #claims = new Map<string, Delivery>()
  readonly #collectedAt = new Map<string, string>()
  #settings = COLLECTS_AT_ONCE
  #stoppedAt = new Date(0)

  constructor(world: World, store: (id: string, at: string) => void) {
    this.#world = world
    this.#store = store
  }

  get settings(): CollectingSettings {
    return this.#settings
  }

  /** The last sign of life. */
  get seenAt(): string {
    return (this.#settings.isOn ? new Date() : this.#stoppedAt).toISOString()
  }

  change(settings: CollectingSettings): void {
    if (this.#settings.isOn && !settings.isOn) this.#stoppedAt = new Date()
    this.#settings = settings
    this.collectAll()
  }

  /** From the moment that a delivery is applied. */
  add(id: string, delivery: Delivery): void {
    this.#claims.set(id, delivery)
  }

  /** Why luong cannot be taken from a character now; null when it can. */
  whyNotTaken({ luong, ...place }: Charge): string | null {
    const character = this.#world.find(place)
    if (!character) return 'no-such-character'
    const { isOn, offline } = this.#settings
    if (!isOn || offline.includes(character.id)) return 'offline'
    return character.luong < luong ? 'insufficient' : null
  }

  collectAll(): void {
    for (const id of this.#claims.keys()) this.collect(id)
  }

  collect(id: string): void {
    const delivery = this.#claims.get(id)
    if (!delivery || !this.#settings.isOn || this.#waitsFor(delivery) !== null) return
    const at = new Date().toISOString()
    this.give(id, at)
    this.#store(id, at)
  }

  /** Gives the goods without asking: what the journal says was collected. */
  give(id: string, at: string): void {
    const delivery = this.#claims.get(id)
    if (!delivery) return
    this.#claims.delete(id)
    this.#collectedAt.set(id, at)
    const character = this.#world.find(delivery)
    // One who left the game since has taken the goods along.
    if (character) this.#world.handOver(character, delivery.goods)
  }

  answerAbout(id: string): CollectionAnswer {
    const claim = this.#claims.get(id)
    const waiting = claim && this.#settings.isOn ? this.#waitsFor(claim) : null
    return { collected_at: this.#collectedAt.get(id) ?? null, waiting }
  }

  #waitsFor(delivery: Delivery): WaitingReason | null {
    const { reason, offline, bagMax } = this.#settings
    if (reason !== null) return reason
    const character = this.#world.find(delivery)
    if (!character || offline.includes(character.id)) return 'offline'
    return reasonToWait(character, delivery.goods, bagMax)
  }
}

function reasonToWait(character: Character, goods: readonly Good[], bagMax: number): WaitingReason | null {
  const items = goods.filter(({ kind }) => kind === 'item')
  if (items.some(({ code }) => !ITEMS.some((known) => known.code === code))) return 'unknown-item'
  if (goods.some((good) => !fits(character, good))) return 'over-limit'
  return character.items.length + items.length > bagMax ? 'bag-full' : null
}

function fits(character: Character, { kind, code, quantity }: Good): boolean {
  if (kind !== 'item') return character[kind] + quantity <= HELD_MAX[kind]
  return quantity <= (ITEMS.find((known) => known.code === code)?.max ?? 0)
}
