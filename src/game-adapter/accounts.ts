import type { Tables } from './presets.ts'
import { listOf, quoted, type Database, type Row, type Session, type Value } from './database.ts'
import type { UnusableRows } from './log.ts'
import { selected } from './sources.ts'
import { isSet, isUsableLength, keyOf, nameOf, readNames, readNumber } from './values.ts'

export type Account = {
  id: Value
  /** As the game spells it. */
  name: string
  /** Of the JSON list; empty in the other shapes. */
  characters: readonly string[]
  /** Of the account; undefined when it cannot be read. */
  luong: number | undefined
  isBanned: boolean
}

export type FoundAccount =
  | { kind: 'one'; account: Account }
  | { kind: 'none' | 'ambiguous-account' | 'account-name-length' }

const PAGE_ROWS = 5_000
/** The whole table is read again this often, for accounts that were renamed or deleted; less often where that takes long. */
const REFRESH_MS = 60_000
const REFRESH_SHARE = 1 / 50
/** More often than this it is never read, whatever is missed. */
const REFRESH_MS_MIN = 5_000
/** What names of the portal are made of. Others are unknown without a question to the database. */
const ASKABLE = /^[\x21-\x7e]{1,64}$/

/**
 * The names of all accounts in memory: to find one without case in a column that compares with it, to know which share
 * their name, and which account a character's name belongs to. Each answer is checked against the row itself.
 */
export class Accounts {
  readonly #tables: Tables
  readonly #unusable: UnusableRows
  #ids = new Map<string, Value[]>()
  #owners = new Map<string, Value>()
  #lastId: Value = null
  #refreshing: Promise<void> | null = null
  #refreshedAt = -Infinity
  #tookMs = 0

  constructor(tables: Tables, unusable: UnusableRows) {
    this.#tables = tables
    this.#unusable = unusable
  }

  get count(): number {
    return this.#ids.size
  }

  /** Reads the whole table in pages, each a statement of its own. */
  refresh(database: Database): Promise<void> {
    const began = performance.now()
    this.#refreshing ??= this.#readAll(database).finally(() => {
      this.#refreshing = null
      this.#refreshedAt = performance.now()
      this.#tookMs = this.#refreshedAt - began
    })
    return this.#refreshing
  }

  /** How long to wait for the next time. */
  get pauseMs(): number {
    return Math.max(REFRESH_MS, this.#tookMs / REFRESH_SHARE)
  }

  /** For what should be known and is not. */
  async refreshSoon(database: Database): Promise<boolean> {
    if (performance.now() - this.#refreshedAt < REFRESH_MS_MIN) return false
    await this.refresh(database)
    return true
  }

  async #readAll(database: Database): Promise<void> {
    const next = { ids: new Map<string, Value[]>(), owners: new Map<string, Value>() }
    let last: Value = null
    for (;;) {
      const rows = await database.use((session) => this.#page(session, last))
      this.#take(rows, next)
      last = (rows.at(-1)?.id as Value | undefined) ?? last
      if (rows.length < PAGE_ROWS) break
    }
    this.#ids = next.ids
    this.#owners = next.owners
    this.#lastId = last
    this.#reportNames()
  }

  /** Accounts made since the last look have the highest ids. */
  async #catchUp(session: Session): Promise<void> {
    const rows = await this.#page(session, this.#lastId)
    if (rows.length === 0) return
    this.#take(rows, { ids: this.#ids, owners: this.#owners })
    this.#lastId = rows.at(-1)?.id as Value
  }

  #page(session: Session, after: Value): Promise<Row[]> {
    const { id } = this.#tables.accounts
    const where = after === null ? '' : `WHERE ${quoted(id)} > ?`
    return session.rows(
      `SELECT ${this.#columns()} FROM ${quoted(this.#tables.accounts.table)} ${where}
        ORDER BY ${quoted(id)} LIMIT ${PAGE_ROWS}`,
      after === null ? [] : [after],
    )
  }

  #columns(): string {
    const { id, name, characters } = this.#tables.accounts
    const list = characters === null ? '' : `, ${quoted(characters)} AS characters`
    return `${quoted(id)} AS id, ${quoted(name)} AS name${list}`
  }

  #take(rows: readonly Row[], into: { ids: Map<string, Value[]>; owners: Map<string, Value> }): void {
    const broken: string[] = []
    for (const row of rows) {
      const id = row.id as Value
      const name = nameOf(row.name) ?? ''
      if (name === '') continue
      const known = into.ids.get(keyOf(name)) ?? []
      if (!known.includes(id)) into.ids.set(keyOf(name), [...known, id])
      if (this.#tables.accounts.characters === null) continue
      const names = readNames(row.characters)
      if (names === undefined) broken.push(name)
      for (const character of names ?? []) if (!into.owners.has(character)) into.owners.set(character, id)
    }
    this.#unusable.report('the list of characters of an account is not JSON as expected', broken)
  }

  #reportNames(): void {
    const doubled: string[] = []
    const unusable: string[] = []
    for (const [key, ids] of this.#ids) {
      if (ids.length > 1) doubled.push(key)
      if (!isUsableLength(key)) unusable.push(key)
    }
    this.#unusable.report(
      'accounts that share their name, perhaps in other capitals, get no deliveries',
      doubled,
    )
    this.#unusable.report('accounts whose names are too short or too long get no deliveries', unusable)
  }

  /** The account of this name without case, as it is now. */
  async find(session: Session, account: string): Promise<FoundAccount> {
    const key = keyOf(account)
    if (!ASKABLE.test(key)) return { kind: 'none' }
    await this.#catchUp(session)
    const known = await this.byIds(session, this.#ids.get(key) ?? [])
    // And one that was renamed since the table was read, or committed with an id below that of the last one.
    const asked = await this.#byName(session, account)
    const all = new Map([...known, ...asked].map((each) => [String(each.id), each]))
    const found = [...all.values()].filter(({ name }) => keyOf(name) === key)
    const [one] = found
    if (one === undefined) return { kind: 'none' }
    if (found.length > 1) return { kind: 'ambiguous-account' }
    return isUsableLength(key) ? { kind: 'one', account: one } : { kind: 'account-name-length' }
  }

  async byIds(session: Session, ids: readonly Value[]): Promise<Account[]> {
    if (ids.length === 0) return []
    const { marks, padded } = listOf(ids)
    return this.#select(session, `${quoted(this.#tables.accounts.id)} IN (${marks})`, padded)
  }

  #byName(session: Session, account: string): Promise<Account[]> {
    return this.#select(session, `${quoted(this.#tables.accounts.name)} = ?`, [account])
  }

  async #select(session: Session, where: string, values: readonly Value[]): Promise<Account[]> {
    const { table, luong, banned } = this.#tables.accounts
    const more = [
      luong === null ? '' : `, ${selected(luong)} AS luong`,
      banned === null ? '' : `, ${quoted(banned)} AS banned`,
    ].join('')
    const rows = await session.rows(
      `SELECT ${this.#columns()}${more} FROM ${quoted(table)} WHERE ${where}`,
      values,
    )
    return rows.flatMap((row) => {
      const name = nameOf(row.name) ?? ''
      if (name === '') return []
      const characters = readNames(row.characters)
      const isBanned = isSet(row.banned)
      return [
        { id: row.id as Value, name, characters: characters ?? [], luong: readNumber(row.luong), isBanned },
      ]
    })
  }

  /** The account that lists a character of this name, as far as is known. */
  ownerOf(character: string): Value | undefined {
    return this.#owners.get(character)
  }

  /** The ids of the accounts of this name: two when it is doubled. */
  idsOf(account: string): readonly Value[] {
    return this.#ids.get(keyOf(account)) ?? []
  }

  /** How a list calls an account: by its name as the portal has it, or, where that would be another's, by its id. */
  shownName({ id, name }: Pick<Account, 'id' | 'name'>): string {
    return this.idsOf(name).length > 1 || name.length > 64 ? `#${String(id)}` : keyOf(name)
  }
}
