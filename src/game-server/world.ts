import type { Good } from '#contract/deliveries.ts'

export type Character = {
  id: string
  serverId: string
  account: string
  name: string
  head: number
  classId: number
  level: number
  luong: number
  yen: number
  items: { code: string; quantity: number; days: number | null }[]
}

export type Delivery = { serverId: string; account: string; characterId: string; goods: Good[] }

export const BOARDS = ['level', 'yen', 'luong'] as const
export type Board = (typeof BOARDS)[number]

/** The characters an account gets at its first call. */
export type Newcomers = (serverId: string, account: string) => Character[]

const CHARACTERS_MAX = 200_000

/** All characters and what they own, in memory; restored from the journal after a restart. */
export class World {
  readonly #byId = new Map<string, Character>()
  readonly #byAccount = new Map<string, Set<Character>>()
  readonly #newcomers: Newcomers

  constructor(newcomers: Newcomers = () => []) {
    this.#newcomers = newcomers
  }

  add(character: Character): void {
    if (this.#byId.size >= CHARACTERS_MAX) throw new RangeError('the world is full')
    this.#byId.set(character.id, character)
    const place = placeOf(character.serverId, character.account)
    const neighbours = this.#byAccount.get(place) ?? new Set()
    this.#byAccount.set(place, neighbours.add(character))
  }

  remove(character: Character): void {
    this.#byId.delete(character.id)
    this.#byAccount.get(placeOf(character.serverId, character.account))?.delete(character)
  }

  /** An account's characters on one server; anyone who looks for the first time finds the newcomers' ones. */
  charactersOf(serverId: string, account: string): Character[] {
    const place = placeOf(serverId, account)
    if (!this.#byAccount.has(place)) {
      for (const character of this.#newcomers(serverId, account)) this.add(character)
    }
    return [...(this.#byAccount.get(place) ?? [])]
  }

  find({ serverId, account, characterId }: Omit<Delivery, 'goods'>): Character | undefined {
    return this.charactersOf(serverId, account).find(({ id }) => id === characterId)
  }

  handOver(character: Character, goods: readonly Good[]): void {
    for (const { kind, quantity, code = '', days = null } of goods) {
      if (kind === 'item') character.items.push({ code, quantity, days })
      else character[kind] += quantity
    }
  }

  top(board: Board, serverId: string, limit: number): (Character & { value: number })[] {
    return [...this.#byId.values()]
      .filter((character) => character.serverId === serverId)
      .sort((a, b) => b[board] - a[board] || b.level - a.level || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map((character) => ({ ...character, value: character[board] }))
  }
}

const placeOf = (serverId: string, account: string) => JSON.stringify([serverId, account])
