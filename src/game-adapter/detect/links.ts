import { lettersOf } from '../checks.ts'
import type { Value } from '../database.ts'
import { asStored } from '../mended-text.ts'
import { isNumberColumn, isTextColumn, type Column, type Schema, type Table } from '../schema.ts'
import { nameOf, textOf } from '../values.ts'
import {
  FIT_MIN,
  looksOf,
  mayHoldLuong,
  nameLists,
  shareOf,
  type AccountTable,
  type CharacterTable,
  type NameList,
} from './candidates.ts'
import { keyOf, type Samples } from './samples.ts'
import { fit, partsOf, subjectsOf } from './words.ts'

/** How the rows of two tables belong together, and what speaks for it. */
export type Link = {
  accounts: AccountTable
  characters: CharacterTable
  score: number
  reasons: string[]
  doubts: string[]
} & (
  | { preset: 'json-list'; list: string; name: string }
  | { preset: 'by-key'; key: string; accountId: string; name: string }
  | { preset: 'one-row'; name: string }
)

const ASKED = 60
/** Fewer values prove nothing. */
const FEW = 5
const OTHER_ROLES = ['level', 'power', 'head', 'class', 'server', 'yen', 'luong'] as const
/** What a join that was found in the rows is worth, beside names, which come to less than 200. */
const PROVEN = 400
/** Tables of accounts that are joined with all tables of characters. */
const JOINED_MAX = 12

export class Links {
  readonly #schema: Schema
  readonly #samples: Samples

  constructor(schema: Schema, samples: Samples) {
    this.#schema = schema
    this.#samples = samples
  }

  /** All ways from accounts to characters, the best proven first. */
  async between(accounts: readonly AccountTable[], characters: readonly CharacterTable[]): Promise<Link[]> {
    const found: (Link | null)[] = []
    for (const account of accounts.slice(0, JOINED_MAX)) {
      const lists = await nameLists(this.#samples, account)
      for (const character of characters) {
        if (character.table === account.table) found.push(await this.#oneRow(account, character))
        else {
          for (const list of lists) found.push(await this.#byList(account, character, list))
          found.push(await this.#byKey(account, character))
        }
      }
    }
    return found.filter((link) => link !== null).sort((a, b) => b.score - a.score)
  }

  async #byList(accounts: AccountTable, characters: CharacterTable, list: NameList): Promise<Link | null> {
    const { table } = characters
    const asked = list.names.slice(0, ASKED)
    const place = `${accounts.table.path}.${list.column}`
    const base = baseOf(accounts, characters)
    let best: { name: string; share: number; inOtherCase: number } | null = null
    for (const { column } of characters.names) {
      const { exact, inOtherCase } = await this.#namesFound(table, column, asked)
      const share = asked.length === 0 ? 0 : exact / asked.length
      if (best === null || share > best.share) best = { name: column.name, share, inOtherCase }
    }
    if (best === null) return null
    const isCalledSo = partsOf(list.column).some((part) => subjectsOf(table).includes(part))
    const isEmpty = (await this.#samples.of(table)).length === 0
    const link = { ...base, preset: 'json-list' as const, list: list.column, name: best.name }
    if (best.share > 0) {
      const found = Math.round(best.share * asked.length)
      return {
        ...link,
        score: base.score + PROVEN * Math.min(1, best.share + 0.2) + (isCalledSo ? 20 : 0),
        reasons: [`${found} of ${asked.length} names in ${place} are found in ${table.path}.${best.name}`],
        doubts: [
          ...base.doubts,
          ...(found < asked.length
            ? [
                `${asked.length - found} of ${asked.length} names in ${place} have no row in ${table.path}${best.inOtherCase > 0 ? ` (${best.inOtherCase} of them one in other capitals or marks)` : ''}: such characters are not listed`,
              ]
            : []),
        ],
      }
    }
    // Names that are found nowhere prove that these are no characters.
    if (asked.length > 0 && !isEmpty) return null
    if (!list.isNamedSo && !isCalledSo) return null
    return {
      ...link,
      score: base.score + 40 + (isCalledSo ? 60 : 0),
      reasons: [
        `${place} is called like a list of characters${isCalledSo ? `, and like the table ${table.path}` : ''}`,
      ],
      doubts: [...base.doubts, withoutRows(asked.length > 0 ? [table] : [accounts.table, table])],
    }
  }

  /** How many of the names a column has, exactly and in other capitals or marks. */
  async #namesFound(table: Table, column: Column, names: readonly string[]) {
    const isWritable = lettersOf(column.charset)
    const forms = [...new Set(names.flatMap((name) => [name, asStored(name)]))].filter(isWritable)
    const rows = await this.#samples.found(table, column.name, forms)
    const found = new Set(rows.map(({ value }) => nameOf(value) ?? ''))
    const exact = names.filter((name) => found.has(name)).length
    return { exact, inOtherCase: Math.max(0, found.size - exact) }
  }

  async #byKey(accounts: AccountTable, characters: CharacterTable): Promise<Link | null> {
    const { table } = characters
    const [name] = characters.names
    if (name === undefined) return null
    const base = baseOf(accounts, characters)
    const isEmpty = (await this.#samples.of(table)).length === 0
    const hasAccounts = (await this.#samples.of(accounts.table)).length > 0
    let best: Link | null = null
    for (const column of keyColumns(table)) {
      const relation = this.#relation(accounts, table, column)
      for (const accountId of new Set([accounts.id, accounts.name])) {
        const id = accounts.table.columns.get(accountId.toLowerCase())
        if (id === undefined || isNumberColumn(id) !== isNumberColumn(column)) continue
        const key = `${table.path}.${column.name}`
        const link = {
          ...base,
          preset: 'by-key' as const,
          key: column.name,
          accountId,
          name: name.column.name,
        }
        const values = await this.#keysOf(table, column)
        if (isEmpty || !hasAccounts || values.length === 0) {
          // A name, as a key, is told by its rows alone.
          if (relation < 50 || accountId !== accounts.id) continue
          const doubts = [...base.doubts, withoutRows(hasAccounts ? [table] : [accounts.table, table])]
          const reasons = [`${key} is called like the id of ${accounts.table.path}`]
          best = better(best, { ...link, score: base.score + relation, reasons, doubts })
          continue
        }
        const found = await this.#samples.found(accounts.table, accountId, values)
        const known = new Set(found.map(({ value }) => textOf(value) ?? String(value)))
        const share = shareOf(values, (value) => known.has(String(value)))
        // Small numbers are found in every column of ids: without a name for it they prove little.
        const weight =
          relation >= 50 ? 1 : isNumberColumn(column) ? 0.1 : accountId === accounts.id ? 0.8 : 0.5
        const crowd = await this.#rowsOfKey(table, column)
        const isLikely =
          weight >= 0.5 ||
          (share > 0.95 && values.length >= FEW && crowd <= 2 && !hasOtherRole(table, column))
        if (share < 0.3 || !isLikely) continue
        const score = base.score + PROVEN * share * weight + relation * 0.5 - (crowd > 20 ? 150 : 0)
        const count = Math.round(share * values.length)
        const reasons = [
          `${count} of ${values.length} values of ${key} are found in ${accounts.table.path}.${accountId}`,
        ]
        const doubts = [
          ...base.doubts,
          ...(count < values.length
            ? [
                `${values.length - count} of ${values.length} values of ${key} are no account's: such characters belong to nobody`,
              ]
            : []),
          ...(relation < 50 ? [`${key} is taken for the account's key by its values alone`] : []),
        ]
        best = better(best, { ...link, score, reasons, doubts })
      }
    }
    return best
  }

  /** How much a column's name says that it holds the id of this table, from 0 to 100. */
  #relation({ table: accounts }: AccountTable, table: Table, column: Column): number {
    const parts = partsOf(column.name).map((part) => part.replace(/(?<!s)s$/, ''))
    const about = parts.filter((part) => !['id', 'fk', 'ref', 'key', 'ma'].includes(part))
    const names = (other: Table) =>
      about.length > 0 && about.every((part) => subjectsOf(other).includes(part))
    const byWord = fit(table, column, 'key')
    const isOwn = column.name === keyOf(table)
    if (names(accounts)) return isOwn ? 60 : 90
    if (isOwn) return 0
    // `item_id` is another table's.
    const isAnothers = this.#schema.tables.some(
      (other) => other !== accounts && other !== table && names(other),
    )
    return isAnothers ? Math.min(byWord, 45) : byWord
  }

  async #keysOf(table: Table, column: Column): Promise<Value[]> {
    const values = await this.#samples.values(table, column.name)
    const distinct = [...new Map(values.map((value) => [String(value), value as Value])).values()]
    const step = Math.max(1, Math.floor(distinct.length / ASKED))
    return distinct
      .filter((value, at) => at % step === 0 && String(value) !== '0' && String(value) !== '-1')
      .slice(0, ASKED)
  }

  async #rowsOfKey(table: Table, column: Column): Promise<number> {
    const values = await this.#samples.values(table, column.name)
    return values.length / Math.max(1, new Set(values.map(String)).size)
  }

  async #oneRow(accounts: AccountTable, characters: CharacterTable): Promise<Link | null> {
    const { table, level } = characters
    const own = characters.names.find(
      ({ column }) => column.name !== accounts.name && column.name !== accounts.password,
    )
    const likeness = looksOf(table) + (level === null ? 0 : 2)
    if (likeness < 3) return null
    const base = baseOf(accounts, characters)
    const name = own?.column.name ?? accounts.name
    const isEmpty = (await this.#samples.of(table)).length === 0
    const path = table.path
    return {
      ...base,
      preset: 'one-row',
      name,
      score:
        base.score + (own !== undefined ? PROVEN : likeness >= 5 ? PROVEN - 50 : 150) - (isEmpty ? 250 : 0),
      reasons: [`${path} has name, password and what a character has in one row`],
      doubts: [
        ...base.doubts,
        ...(own === undefined
          ? [`${path} has no name of a character beside ${name}: that is taken for both`]
          : []),
        ...(isEmpty ? [withoutRows([table])] : []),
      ],
    }
  }
}

/** Whether a column is something else of a character, by its name. */
const hasOtherRole = (table: Table, column: Column): boolean =>
  // Both may share their ids; of templates the number of a row means nothing.
  (column.name === keyOf(table) && (column.isCounted || looksOf(table) < 2)) ||
  OTHER_ROLES.some((word) => fit(table, column, word) >= FIT_MIN)

const better = (known: Link | null, link: Link) => (known === null || link.score > known.score ? link : known)

const baseOf = (accounts: AccountTable, characters: CharacterTable) => ({
  accounts,
  characters,
  score:
    accounts.score * 0.5 +
    characters.score +
    (accounts.table.database === characters.table.database ? 10 : 0) -
    // Who signs in with a row has the character in it, if any.
    (characters.hasPasswords && accounts.table !== characters.table ? 100 : 0) -
    (mayHoldLuong(accounts.table) || mayHoldLuong(characters.table) ? 0 : 100),
  doubts: [...accounts.doubts, ...characters.doubts],
})

const withoutRows = (tables: readonly Table[]) =>
  `${[...new Set(tables)].map(({ path }) => path).join(' and ')}: no rows, so this is told by names alone`

const KEY_LENGTH_MAX = 64

/** Columns that may hold the key of an account. */
const keyColumns = (table: Table): Column[] =>
  [...table.columns.values()].filter(
    (column) =>
      /int$|^decimal$/.test(column.type) ||
      (isTextColumn(column) &&
        column.type !== 'json' &&
        column.length > 0 &&
        column.length <= KEY_LENGTH_MAX),
  )
