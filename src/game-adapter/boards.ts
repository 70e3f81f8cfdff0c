import type { BoardCounts } from '#contract/game/board-counts.ts'
import type { Account, Accounts } from './accounts.ts'
import { byId, type Character, type Characters } from './characters.ts'
import type { Config } from './config.ts'
import type { Database, Session, Value } from './database.ts'
import { uncollected, type Uncollected } from './deliveries.ts'
import type { UnusableRows } from './log.ts'
import { orderedIds } from './ordered-ids.ts'
import type { Tables } from './presets.ts'

const BOARDS = ['level', 'yen', 'luong'] as const
export type Board = (typeof BOARDS)[number]

/** Those whose numbers the game has. */
export const boardsOf = ({ characters, accounts, luong }: Tables): Board[] =>
  BOARDS.filter((board) =>
    board === 'luong' && luong === 'account' ? accounts.luong !== null : characters[board] !== null,
  )

/** What is not collected yet is in both; luong of an account stands for all its characters. */
export function countsOf(tables: Tables): BoardCounts {
  const boards = boardsOf(tables)
  const ofCharacters = { of: 'character', waiting: true } as const
  return {
    ...(boards.includes('yen') && { yen: ofCharacters }),
    ...(boards.includes('luong') && { luong: { of: tables.luong, waiting: true } }),
  }
}

export type RankingRow = {
  name: string
  class_id: number
  level: number | null
  value: number
  account: string
}

/** `exact`: what tells equal values apart. */
type Place = RankingRow & { id: Value; exact: number }

export type BoardsOf = {
  config: Config
  database: Database
  accounts: Accounts
  characters: Characters
  unusable: UnusableRows
}

/** More than asked for, since some rows may be unusable. */
const SPARE_ROWS = 50
/** Ends the search for rows when a server has few characters or most rows are unusable. */
const PAGES_MAX = 100

/** `offset`: how many of the first are left out. */
export type Asked = { board: Board; serverId: string; limit: number; offset: number }

/** The characters of a server with the most, with what waits to be collected, all of one moment. */
export async function topOf(of: BoardsOf, asked: Asked): Promise<RankingRow[]> {
  const first = await of.database.snapshot((session) => takeTop(of, session, asked))
  // A character that no account lists as far as is known: it was made since the accounts were read.
  const isWhole = first.withoutAccount.length === 0 || !(await of.accounts.refreshSoon(of.database))
  const { rows, withoutAccount } = isWhole
    ? first
    : await of.database.snapshot((session) => takeTop(of, session, asked))
  of.unusable.report('characters that belong to no account are left out', withoutAccount)
  return rows
}

type Top = { rows: RankingRow[]; withoutAccount: string[] }

async function takeTop(of: BoardsOf, session: Session, asked: Asked): Promise<Top> {
  const waiting = asked.board === 'level' ? [] : await uncollected(session)
  const places =
    asked.board === 'luong' && of.config.luong === 'account'
      ? new AccountPlaces(of, session, asked, waiting)
      : new CharacterPlaces(of, session, asked, waiting)
  const wanted = asked.offset + asked.limit
  const size = wanted + SPARE_ROWS
  const found: Place[] = await places.ofThoseThatWait()
  const known = new Set(found.map(({ id }) => id))
  let fromTable = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const { places: more, isLast } = await places.page(page * size, size)
    // Whoever waits for something may stand in the table's own order too.
    fromTable += more.length
    found.push(...more.filter(({ id }) => !known.has(id)))
    if (isLast || fromTable >= wanted) break
  }
  const rows = found
    .sort((a, b) => b.value - a.value || b.exact - a.exact || byId(a.id, b.id))
    .slice(asked.offset, wanted)
    .map(({ name, class_id, level, value, account }) => ({ name, class_id, level, value, account }))
  return { rows, withoutAccount: places.withoutAccount }
}

type Page = { places: Place[]; isLast: boolean }

/** Level and yen, and luong where it belongs to the character. */
class CharacterPlaces {
  readonly withoutAccount: string[] = []
  readonly #of: BoardsOf
  readonly #session: Session
  readonly #asked: Asked
  readonly #waiting = new Map<string, number>()

  constructor(of: BoardsOf, session: Session, asked: Asked, waiting: readonly Uncollected[]) {
    this.#of = of
    this.#session = session
    this.#asked = asked
    for (const { serverId, characterId, luong, yen } of waiting) {
      const amount = asked.board === 'luong' ? luong : yen
      if (amount > 0 && serverId === asked.serverId) add(this.#waiting, characterId, amount)
    }
  }

  async page(offset: number, size: number): Promise<Page> {
    const { table, id, server, ...columns } = this.#of.config.characters
    const value = columns[this.#asked.board]
    if (value === null) return { places: [], isLast: true }
    const only = server === null ? null : { column: server, is: this.#asked.serverId }
    const ids = await orderedIds(this.#session, { table, id, value, only }, { offset, size })
    return { places: await this.#placesOf(ids), isLast: ids.length < size }
  }

  ofThoseThatWait(): Promise<Place[]> {
    return this.#placesOf([...this.#waiting.keys()])
  }

  async #placesOf(ids: readonly Value[]): Promise<Place[]> {
    const { characters, unusable } = this.#of
    const { board } = this.#asked
    const found = await characters.byIds(this.#session, ids)
    const readable = found.filter((character) => character[board] !== undefined)
    unusable.report(
      `characters whose ${board} cannot be read are left out`,
      found.filter((character) => character[board] === undefined).map(({ name }) => name),
    )
    const owners = await this.#ownersOf(readable)
    return readable.flatMap((character) => {
      const { id, name, classId, level, strength } = character
      const exact = board === 'level' ? strength : 0
      const owner = owners.get(id)
      if (owner === undefined || owner.isBanned) return []
      const value = (character[board] ?? 0) + (this.#waiting.get(String(id)) ?? 0)
      const account = this.#of.accounts.shownName(owner)
      return [{ id, name, class_id: classId, level, value, account, exact }]
    })
  }

  /** Each character's account by the character's id. */
  async #ownersOf(found: readonly Character[]): Promise<Map<Value, Account>> {
    const { accounts, config } = this.#of
    const isListed = config.characters.account === null
    const idOf = ({ name, accountId }: Character) => (isListed ? accounts.ownerOf(name) : accountId)
    const ids = [...new Set(found.map((character) => idOf(character) ?? null))].filter((id) => id !== null)
    const byAccount = new Map<string, Account>()
    for (let at = 0; at < ids.length; at += SPARE_ROWS * 10) {
      const some = await accounts.byIds(this.#session, ids.slice(at, at + SPARE_ROWS * 10))
      for (const account of some) byAccount.set(String(account.id), account)
    }
    const owners = new Map<Value, Account>()
    for (const character of found) {
      const account = byAccount.get(String(idOf(character)))
      const isOwner = account !== undefined && (!isListed || account.characters.includes(character.name))
      if (isOwner) owners.set(character.id, account)
      else this.withoutAccount.push(character.name)
    }
    return owners
  }
}

/** Luong that belongs to the account: its strongest character stands for it. */
class AccountPlaces {
  readonly withoutAccount: string[] = []
  readonly #of: BoardsOf
  readonly #session: Session
  readonly #asked: Asked
  readonly #waiting = new Map<string, number>()

  constructor(of: BoardsOf, session: Session, asked: Asked, waiting: readonly Uncollected[]) {
    this.#of = of
    this.#session = session
    this.#asked = asked
    for (const { account, luong } of waiting) {
      const ids = of.accounts.idsOf(account)
      if (luong > 0 && ids.length === 1) add(this.#waiting, String(ids[0]), luong)
    }
  }

  async page(offset: number, size: number): Promise<Page> {
    const { table, id, luong } = this.#of.config.accounts
    if (luong === null) return { places: [], isLast: true }
    const ordered = { table, id, value: luong, only: null }
    const ids = await orderedIds(this.#session, ordered, { offset, size })
    return { places: await this.#placesOf(ids), isLast: ids.length < size }
  }

  ofThoseThatWait(): Promise<Place[]> {
    return this.#placesOf([...this.#waiting.keys()])
  }

  async #placesOf(ids: readonly Value[]): Promise<Place[]> {
    const { accounts, characters, unusable } = this.#of
    const found: Account[] = []
    for (let at = 0; at < ids.length; at += SPARE_ROWS * 10) {
      found.push(...(await accounts.byIds(this.#session, ids.slice(at, at + SPARE_ROWS * 10))))
    }
    unusable.report(
      'accounts whose luong cannot be read are left out',
      found.filter(({ luong }) => luong === undefined).map(({ name }) => name),
    )
    const usable = found.filter(({ luong, isBanned }) => luong !== undefined && !isBanned)
    const lists = await characters.ofAll(this.#session, usable, this.#asked.serverId)
    return usable.flatMap((account) => {
      const [main] = lists.get(String(account.id)) ?? []
      if (main === undefined) return []
      const value = (account.luong ?? 0) + (this.#waiting.get(String(account.id)) ?? 0)
      const { name, classId, level } = main
      const shown = accounts.shownName(account)
      return [{ id: account.id, name, class_id: classId, level, value, account: shown, exact: 0 }]
    })
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
