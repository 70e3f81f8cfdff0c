import type { Good } from '#contract/deliveries.ts'
import { headOf } from '#seeds/heads.ts'
import { seedPlayers } from '#seeds/players.ts'
import { seedRivals } from '#seeds/rivals.ts'
import { seedServers } from '#seeds/servers.ts'

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

/** A sentence that the game shows to whoever plays this account, until then. */
export type Notice = { account: string; text: string; expires_at: string }

/** Luong to be taken from a character. */
export type Charge = Omit<Delivery, 'goods'> & { luong: number }

export const BOARDS = ['level', 'yen', 'luong'] as const
export type Board = (typeof BOARDS)[number]

/** Of a ranking: so many rows, without so many of the first. */
type Part = { limit: number; offset: number }

/** The characters an account gets at its first call. */
export type Newcomers = (serverId: string, account: string) => Character[]

const CHARACTERS_MAX = 200_000

/** All characters and what they own, in memory; restored from the journal after a restart. */
export class World {
  readonly #byId = new Map<string, Character>()
  readonly #byAccount = new Map<string, Set<Character>>()
  readonly #accounts = new Set<string>()
  readonly #servers = new Set<string>()
  readonly #newcomers: Newcomers

  constructor(newcomers: Newcomers = () => []) {
    this.#newcomers = newcomers
  }

  add(character: Character): void {
    if (this.#byId.size >= CHARACTERS_MAX) throw new RangeError('the world is full')
    this.#byId.set(character.id, character)
    this.#accounts.add(character.account)
    this.#servers.add(character.serverId)
    const place = placeOf(character.serverId, character.account)
    const neighbours = this.#byAccount.get(place) ?? new Set()
    this.#byAccount.set(place, neighbours.add(character))
  }

  remove(character: Character): void {
    this.#byId.delete(character.id)
    this.#byAccount.get(placeOf(character.serverId, character.account))?.delete(character)
  }

  /** An account's characters on one server; an unknown account gets the newcomers' ones. */
  charactersOf(serverId: string, account: string): Character[] {
    const place = placeOf(serverId, account)
    if (!this.#byAccount.has(place)) {
      for (const character of this.#newcomers(serverId, account)) this.add(character)
    }
    return [...(this.#byAccount.get(place) ?? [])]
  }

  /** Whether the account has a character on any server. Makes none, as `charactersOf` does. */
  hasAccount(account: string): boolean {
    return this.#accounts.has(account)
  }

  /** Those of the demo, and every other one that a character lives on. */
  servers(): { id: string; name: string }[] {
    const names = new Map(seedServers.map(({ id, name }) => [id, name]))
    for (const id of this.#servers) if (!names.has(id)) names.set(id, id)
    return [...names].map(([id, name]) => ({ id, name }))
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

  top(board: Board, serverId: string, { limit, offset }: Part): (Character & { value: number })[] {
    return [...this.#byId.values()]
      .filter((character) => character.serverId === serverId)
      .sort((a, b) => b[board] - a[board] || b.level - a.level || (a.id < b.id ? -1 : 1))
      .slice(offset, offset + limit)
      .map((character) => ({ ...character, value: character[board] }))
  }
}

const placeOf = (serverId: string, account: string) => JSON.stringify([serverId, account])

/** The portal's usernames, in lower case; other accounts do not exist. */
const ACCOUNT = /^[a-z0-9]{5,20}$/
/** A character for every class they may have chosen, the newcomer's among them. */
const STARTERS = [
  { word: 'truong', classId: 1, levels: [40, 90] },
  { word: 'anh', classId: 4, levels: [15, 39] },
  { word: 'tan', classId: 0, levels: [1, 9] },
] as const

type Wishes = Pick<Character, 'serverId' | 'account' | 'name' | 'head' | 'classId' | 'level'> &
  Partial<Pick<Character, 'luong' | 'yen'>>

const character = (id: string, wishes: Wishes): Character => ({
  id,
  luong: 0,
  yen: 0,
  items: [],
  ...wishes,
})

/** FNV-1a: the same name always comes to the same number, also after a restart. */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** The people the demo portal knows, and their rivals in the rankings. Their ids never change. */
export function residents(): Character[] {
  const players = seedPlayers.flatMap(({ username, serverId, characters }) =>
    characters.map((known) => ({ ...known, serverId, account: username.toLowerCase() })),
  )
  return [...players, ...seedRivals].map((known) => character(`cu-${known.serverId}-${known.name}`, known))
}

/** Three characters for any account a portal may have: always the same ones. */
export function newcomers(serverId: string, account: string): Character[] {
  if (!ACCOUNT.test(account) || !/^\d{1,4}$/.test(serverId)) return []
  return STARTERS.map(({ word, classId, levels: [from, to] }) => {
    const name = `${word}${account}`
    const chance = spread(`${serverId}:${name}`)
    const level = from + (chance % (to - from + 1))
    const head = headOf(classId, chance >>> 8)
    const id = `moi-${serverId}-${classId}-${account}`
    return character(id, { serverId, account, name, head, classId, level, yen: level * 10_000 })
  })
}
