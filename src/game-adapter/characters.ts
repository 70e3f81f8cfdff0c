import type { Account } from './accounts.ts'
import type { Checked } from './checks.ts'
import type { Source, Tables } from './presets.ts'
import { listOf, quoted, type Row, type Session, type Value } from './database.ts'
import type { UnusableRows } from './log.ts'
import { asStored } from './mended-text.ts'
import { readLevel, selected } from './sources.ts'
import { readName, readNumber, readSmallNumber } from './values.ts'

export type Character = {
  id: Value
  name: string
  head: number
  classId: number
  /** Null in a game without levels. */
  level: number | null
  /** What levels are sorted by: experience, where the level follows from it. */
  strength: number
  /** Undefined when the game's number cannot be read. */
  yen: number | undefined
  luong: number | undefined
  /** The id of its account; null where the account's row names the character. */
  accountId: Value
}

/** At most this many are answered for an account. */
const CHARACTERS_MAX = 100
/** As many names or ids as one statement asks for. */
const BATCH = 512

export class Characters {
  readonly #tables: Tables
  readonly #unusable: UnusableRows
  readonly #isComparable: Checked['isComparable']

  constructor(
    tables: Tables,
    { unusable, isComparable }: { unusable: UnusableRows } & Pick<Checked, 'isComparable'>,
  ) {
    this.#tables = tables
    this.#unusable = unusable
    this.#isComparable = isComparable
  }

  /** An account's characters on one server, the strongest first. */
  async of(session: Session, account: Account, serverId: string): Promise<Character[]> {
    const [list = []] = (await this.ofAll(session, [account], serverId)).values()
    return list.slice(0, CHARACTERS_MAX)
  }

  /** The same for many accounts at once, by the text of the account's id. Those without a character are not there. */
  async ofAll(
    session: Session,
    accounts: readonly Account[],
    serverId: string,
  ): Promise<Map<string, Character[]>> {
    const found =
      this.#tables.characters.account === null
        ? await this.#byNames(session, accounts)
        : await this.#byAccounts(session, accounts, serverId)
    for (const list of found.values()) list.sort(strongestFirst)
    return found
  }

  async #byAccounts(session: Session, accounts: readonly Account[], serverId: string) {
    const { account = null, server } = this.#tables.characters
    const found = new Map<string, Character[]>()
    for (const batch of batchesOf(accounts.map(({ id }) => id))) {
      const { marks, padded } = listOf(batch)
      const onServer = server === null ? '' : ` AND ${quoted(server)} = ?`
      const rows = await this.#select(session, `${quoted(account ?? '')} IN (${marks})${onServer}`, [
        ...padded,
        ...(server === null ? [] : [serverId]),
      ])
      for (const row of rows) append(found, String(row.accountId), row)
    }
    return found
  }

  async #byNames(session: Session, accounts: readonly Account[]) {
    const owners = new Map<string, string[]>()
    for (const { id, characters } of accounts) {
      for (const name of characters) append(owners, name, String(id))
    }
    const found = new Map<string, Character[]>()
    const doubled: string[] = []
    for (const batch of batchesOf([...owners.keys()].flatMap((name) => this.#formsOf(name)))) {
      const { marks, padded } = listOf(batch)
      const rows = await this.#select(
        session,
        `${quoted(this.#tables.characters.name)} IN (${marks})`,
        padded,
      )
      const byName = Map.groupBy(rows, ({ name }) => name)
      for (const [name, [row, ...others]] of byName) {
        // The column may compare without case; the list of the account does not.
        if (row === undefined || !owners.has(name)) continue
        if (others.length > 0) doubled.push(name)
        else for (const owner of owners.get(name) ?? []) append(found, owner, row)
      }
    }
    this.#unusable.report('characters of the same name cannot be told apart', doubled)
    return found
  }

  /** How the column may hold a name. */
  #formsOf(name: string): string[] {
    return [...new Set([name, asStored(name)])].filter(this.#isComparable)
  }

  async byIds(session: Session, ids: readonly Value[]): Promise<Character[]> {
    const found: Character[] = []
    for (const batch of batchesOf(ids)) {
      const { marks, padded } = listOf(batch)
      found.push(
        ...(await this.#select(session, `${quoted(this.#tables.characters.id)} IN (${marks})`, padded)),
      )
    }
    return found
  }

  async #select(session: Session, where: string, values: readonly Value[]): Promise<Character[]> {
    const { table, id, name, head, class: classId, level, yen, luong, account } = this.#tables.characters
    const column = (of: Source | null, as: string) => `${of === null ? 'NULL' : selected(of)} AS ${as}`
    const columns = [
      column(id, 'id'),
      column(name, 'name'),
      column(head, 'head'),
      column(classId, 'class_id'),
      column(level, 'level'),
      column(yen, 'yen'),
      column(luong, 'luong'),
      column(account, 'account_id'),
    ]
    const rows = await session.rows(
      `SELECT ${columns.join(', ')} FROM ${quoted(table)} WHERE ${where}`,
      values,
    )
    const nameless = rows.filter(
      (row) => readName(row.name) === undefined && row.name !== null && row.name !== '',
    )
    this.#unusable.report(
      'characters whose name cannot be used are left out',
      nameless.map((row) => String(row.id)),
    )
    return rows.flatMap((row) => readCharacter(row, level))
  }
}

function readCharacter(row: Row, levelSource: Source | null): Character[] {
  const name = readName(row.name)
  const id = row.id as Value
  if (name === undefined || id === null || String(id).length > 64) return []
  return [
    {
      id,
      name,
      head: readSmallNumber(row.head),
      classId: readSmallNumber(row.class_id),
      level: readLevel(levelSource, row.level),
      strength: readNumber(row.level) ?? 0,
      yen: readNumber(row.yen),
      luong: readNumber(row.luong),
      accountId: (row.account_id ?? null) as Value,
    },
  ]
}

const strongestFirst = (a: Character, b: Character) => b.strength - a.strength || byId(a.id, b.id)

/** The older one first. */
export function byId(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) !== String(b))
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [item])
  else list.push(item)
}

function batchesOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  )
}
