import { isNumberColumn, isTextColumn, type Column, type Schema, type Table } from '../schema.ts'
import { nameOf, readNames, readNumber, textOf } from '../values.ts'
import { CUT_AT, keyOf, type Samples } from './samples.ts'
import { fit, fitting, gameColumns, partsOf, plain, subjectsOf, type Fitting } from './words.ts'

/** A table that may hold accounts. */
export type AccountTable = {
  table: Table
  id: string
  name: string
  password: string
  /** How much it looks like one, by names and values. */
  score: number
  doubts: string[]
}

/** A table that may hold characters. `names`: columns that may be what they are called, the likeliest first. */
export type CharacterTable = {
  table: Table
  names: Fitting[]
  level: Level
  hasPasswords: boolean
  score: number
  doubts: string[]
}
export type Level = { column: string; isPower: boolean } | null

const NAME_LENGTH_MAX = 255
const LEVEL_MAX = 100_000
/** Tables that are looked into, the likeliest by their names first. */
const ACCOUNTS_MAX = 25
const CHARACTERS_MAX = 40

const isNameColumn = (column: Column) =>
  isTextColumn(column) && column.type !== 'json' && column.length > 0 && column.length <= NAME_LENGTH_MAX
const holdsPasswords = (column: Column) => isTextColumn(column) || /binary|blob/.test(column.type)

const isHash = (text: string) => /^(\$2[abxy]\$.{56}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)
const isLogin = (text: string) => /^[^\s]{2,64}$/.test(text)

export const shareOf = <Item>(items: readonly Item[], is: (item: Item) => boolean): number =>
  items.length === 0 ? 0 : items.filter(is).length / items.length

const distinctShare = (values: readonly unknown[]): number =>
  values.length === 0 ? 0 : new Set(values.map(String)).size / values.length

/** A copy of another table, kept as a backup: the same columns, and a name with more to it. */
export function originalOf({ tables }: Schema, table: Table): Table | null {
  const parts = partsOf(table.name)
  const original = tables.find((other) => {
    if (other === table || other.behind !== null) return false
    const its = partsOf(other.name)
    const isLonger =
      its.length < parts.length && its.join('') !== '' && its.every((part) => parts.includes(part))
    const isRun =
      table.name.length > other.name.length && table.name.toLowerCase().startsWith(other.name.toLowerCase())
    const shared = [...other.columns.keys()].filter((name) => table.columns.has(name)).length
    return (isLonger || isRun) && shared * 10 >= Math.max(table.columns.size, other.columns.size) * 9
  })
  return original ?? null
}

/** Of its own tables and of others in the same server. */
const NEARNESS = { own: 0, other: -60 }
const COPY = -150

function scoreOfPlace(schema: Schema, table: Table) {
  const isCopy = originalOf(schema, table) !== null
  return (table.database === schema.database ? NEARNESS.own : NEARNESS.other) + (isCopy ? COPY : 0)
}

const PURSE = /inventory|money|currency|wallet|purse|tien|vang|ngoc|cash|coin|tui|taisan/

/** A column that is called like a purse, for money inside JSON. */
export const isPurse = (column: Column) => isTextColumn(column) && PURSE.test(plain(column.name))

/** Whether a table may hold luong, by its columns. */
export const mayHoldLuong = (table: Table): boolean =>
  (fitting(table, 'luong', isNumberColumn)[0]?.fit ?? 0) >= FIT_MIN ||
  [...table.columns.values()].some(isPurse)

/** Names that say it only with other words beside them are passed over. */
export const FIT_MIN = 55

/** Tables with a name and a password, the likeliest first. */
export async function accountTables(schema: Schema, samples: Samples): Promise<AccountTable[]> {
  const possible = schema.tables
    .filter(({ name }) => !name.startsWith('portal_'))
    .map((table) => ({ table, byName: scoreByNames(table) }))
    .filter(({ byName }) => byName > 0)
    .sort((a, b) => b.byName - a.byName)
    .slice(0, ACCOUNTS_MAX)
  const found: AccountTable[] = []
  for (const { table } of possible) {
    const account = await accountTable(schema, samples, table)
    if (account !== null) found.push(account)
  }
  return found.sort((a, b) => b.score - a.score)
}

function scoreByNames(table: Table): number {
  const name = fitting(table, 'account', isNameColumn)[0]
  const password = fitting(table, 'password', holdsPasswords)[0]
  return name === undefined ? 0 : name.fit + (password?.fit ?? -60)
}

async function accountTable(schema: Schema, samples: Samples, table: Table): Promise<AccountTable | null> {
  const password = await passwordColumn(samples, table)
  if (password === null) return null
  let best: { column: Column; score: number } | null = null
  for (const { column, fit: byName } of fitting(table, 'account', isNameColumn).slice(0, 4)) {
    if (column.name === password.name) continue
    const values = (await samples.values(table, column.name)).map((value) => nameOf(value) ?? '')
    const byValues = values.length === 0 ? 0 : 40 * shareOf(values, isLogin) + 40 * distinctShare(values) - 60
    const isUnique = table.indexes.some(
      ({ isUnique: unique, columns }) => unique && columns.join() === column.name.toLowerCase(),
    )
    const score = byName + byValues + (isUnique ? 15 : 0)
    if (best === null || score > best.score) best = { column, score }
  }
  if (best === null) return null
  const id = (await idOf(samples, table)) ?? best.column.name
  const score =
    best.score + password.score + scoreOfPlace(schema, table) + Math.min(20, 4 * gameColumns(table))
  const doubts =
    keyOf(table) === null && table.behind === null
      ? [`${table.path} has no primary key and no unique column: ${id} is taken for the id`]
      : []
  return { table, id, name: best.column.name, password: password.name, score, doubts }
}

/** By its key, its name, or numbers that are all different. */
export async function idOf(samples: Samples, table: Table): Promise<string | null> {
  const known = keyOf(table) ?? idByName(table)
  if (known !== null) return known
  for (const { name } of [...table.columns.values()].filter(({ type }) => type.endsWith('int'))) {
    const values = await samples.values(table, name)
    if (values.length > 1 && distinctShare(values) === 1) return name
  }
  return null
}

function idByName(table: Table): string | null {
  const found = [...table.columns.values()].find(({ name }) => {
    const parts = partsOf(name).filter((part) => !subjectsOf(table).includes(part))
    return ['id', 'uid', 'userid'].includes(parts.join('')) || partsOf(name).join('') === 'id'
  })
  return found?.name ?? null
}

/** By its name, or by values that are hashes. */
async function passwordColumn(
  samples: Samples,
  table: Table,
): Promise<{ name: string; score: number } | null> {
  const [named] = fitting(table, 'password', holdsPasswords)
  if (named !== undefined) return { name: named.column.name, score: named.fit }
  for (const column of [...table.columns.values()].filter(holdsPasswords)) {
    const values = (await samples.values(table, column.name)).map((value) => textOf(value) ?? '')
    if (values.length > 2 && shareOf(values, isHash) > 0.9 && distinctShare(values) > 0.5)
      return { name: column.name, score: 40 }
  }
  return null
}

/** Tables whose rows have a name and something of a character, the likeliest first. */
export async function characterTables(schema: Schema, samples: Samples): Promise<CharacterTable[]> {
  const possible = schema.tables
    .filter(({ name }) => !name.startsWith('portal_'))
    .map((table) => ({ table, byColumns: featuresOf(table) }))
    .filter(({ byColumns }) => byColumns > 0)
    .sort((a, b) => b.byColumns - a.byColumns)
    .slice(0, CHARACTERS_MAX)
  const found: CharacterTable[] = []
  for (const { table, byColumns } of possible) {
    const level = await levelOf(samples, table)
    const names = await namesOf(samples, table)
    const isRepeated = names[0] !== undefined && (await isLog(samples, table, names[0].column.name))
    const bare = looksOf(table) === 0 ? NO_LOOKS : 0
    const score = byColumns + bare + scoreOfPlace(schema, table) + (isRepeated ? COPY : 0)
    const doubts = isRepeated ? [`${table.path} has the same names again and again, as a log has`] : []
    const hasPasswords = fitting(table, 'password', holdsPasswords).length > 0
    found.push({ table, names, level, hasPasswords, score, doubts })
  }
  return found
}

const LOOKS = ['head', 'class', 'yen', 'luong', 'server'] as const
/** A name and a level alone have posts and templates too. */
const NO_LOOKS = -120

/** How much of what characters look like and own a table has. */
export const looksOf = (table: Table): number =>
  LOOKS.filter((word) => (fitting(table, word, isNumberColumn)[0]?.fit ?? 0) >= 60).length

/** What a table has of a character, by its columns. */
function featuresOf(table: Table): number {
  const names = fitting(table, 'character', isNameColumn)
  const best = (word: Parameters<typeof fit>[2]) => fitting(table, word, isNumberColumn)[0]?.fit ?? 0
  const growth = Math.max(best('level'), best('power') * 0.9)
  const known = looksOf(table)
  const more = Math.min(6, gameColumns(table))
  if (names.length === 0 || (growth === 0 && known + more < 2)) return 0
  return Math.min(names[0]?.fit ?? 0, 60) * 0.5 + Math.min(growth, 60) * 0.5 + 12 * known + 6 * more
}

async function namesOf(samples: Samples, table: Table): Promise<Fitting[]> {
  const found: Fitting[] = []
  for (const one of fitting(table, 'character', isNameColumn).slice(0, 4)) {
    const values = await samples.values(table, one.column.name)
    found.push({ ...one, fit: one.fit + (values.length === 0 ? 0 : 30 * distinctShare(values) - 20) })
  }
  return found.sort((a, b) => b.fit - a.fit)
}

async function isLog(samples: Samples, table: Table, name: string): Promise<boolean> {
  const values = await samples.values(table, name)
  return values.length >= 20 && distinctShare(values) < 0.5
}

/** A number that grows without bound is experience or power, whatever its column is called. */
async function levelOf(samples: Samples, table: Table): Promise<Level> {
  for (const { column } of fitting(table, 'level', isNumberColumn).filter((one) => one.fit >= 30)) {
    const values = (await samples.values(table, column.name)).map((value) => readNumber(value) ?? 0)
    return { column: column.name, isPower: values.some((value) => value > LEVEL_MAX) }
  }
  const [power] = fitting(table, 'power', isNumberColumn)
  return power === undefined ? null : { column: power.column.name, isPower: true }
}

export type NameList = { column: string; names: string[]; isNamedSo: boolean }

/** Columns of a table of accounts that hold JSON lists of names; of one without any list those that are called so. */
export async function nameLists(
  samples: Samples,
  { table, name, password }: AccountTable,
): Promise<NameList[]> {
  const texts = [...table.columns.values()].filter(
    (column) =>
      ![name, password].includes(column.name) &&
      (column.type === 'json' || (isTextColumn(column) && column.length >= 40)),
  )
  const lists: NameList[] = []
  for (const column of texts) {
    const values = await samples.values(table, column.name)
    const read = values.filter((value) => (textOf(value)?.length ?? 0) < CUT_AT).map(readNames)
    const filled = read.filter((names) => names !== undefined && names.length > 0 && !names.every(isNumber))
    const empty = read.filter((names) => names?.length === 0).length
    const isNamedSo = fit(table, column, 'list') >= 60
    if (filled.length > 0 && filled.length * 2 >= values.length - empty)
      lists.push({
        column: column.name,
        names: [...new Set(filled.flatMap((names) => names ?? []))],
        isNamedSo,
      })
    else if (values.length === empty && isNamedSo) lists.push({ column: column.name, names: [], isNamedSo })
  }
  return lists
}

const isNumber = (text: string) => /^-?\d+$/.test(text)
