import { missingColumns, notInnodb } from '../checks.ts'
import { CAP } from '../config.ts'
import type { Source, Tables } from '../presets.ts'
import { quoted } from '../database.ts'
import { findColumn, type Schema } from '../schema.ts'
import { columnOf, isInJson, sortable } from '../sources.ts'
import { missingIndexes, unknownIndexes, wantedIndexes } from '../tables.ts'
import { keyOf, NAME_LENGTH, nameOf, readNumber, textOf } from '../values.ts'
import type { Ask } from './samples.ts'

const NAMED_MAX = 10
const COUNTED_MAX = 1_000
const NAMES_MAX = 200_000
/** The most that a game in Java reads as an `int`. */
const INT_MAX = 2_147_483_647

const amountsOf = ({ accounts, characters }: Tables): { table: string; source: Source }[] =>
  [
    { table: accounts.table, source: accounts.luong },
    { table: characters.table, source: characters.luong },
    { table: characters.table, source: characters.yen },
  ].flatMap(({ table, source }) => (source === null ? [] : [{ table, source }]))

/** What can be said without reading rows. */
export function findingsOfSchema(schema: Schema, tables: Tables): string[] {
  const { accounts } = tables
  return [
    ...missingColumns(schema, tables).map((what) => `not found: ${what}`),
    ...notInnodb(schema, tables).map(
      ([name, engine]) => `engine: ${name} is ${engine}; goods are given in one transaction in InnoDB only`,
    ),
    ...missingIndexes(schema, wantedIndexes(tables)).map(
      ({ table: name, columns }) => `missing index: ${name} (${columns.join(', ')})`,
    ),
    ...unknownIndexes(schema, wantedIndexes(tables)).map(
      ({ table: name, columns }) =>
        `${name} is a view: look whether the tables behind it have an index for ${columns.join(', ')}`,
    ),
    ...amountsOf(tables).flatMap(({ table, source }) => problemsOfAmount(schema, table, source)),
    ...(accounts.banned === null
      ? []
      : [
          `accounts.banned: ${accounts.table}.${accounts.banned} looks like a ban; if other numbers than 0 mean something else there, write null`,
        ]),
  ]
}

function problemsOfAmount(schema: Schema, table: string, source: Source): string[] {
  const found = findColumn(schema, table, columnOf(source))
  if (found === undefined) return []
  const place = `${table}.${found.name}`
  if (isInJson(source)) return [`${place} is JSON: no index sorts it, so its ranking reads the whole table`]
  if (/^(tiny|small|medium)int$/.test(found.type)) return [`column too small: ${place} is ${found.fullType}`]
  if (found.type === 'bigint') {
    return [`${place} is bigint: a game that reads it with getInt opens no account with more than ${INT_MAX}`]
  }
  return found.type.endsWith('int')
    ? []
    : [`${place} is ${found.fullType}, which sorts or rounds unlike a whole number`]
}

/** What the rows show, each by one statement that ends in time. */
export async function findingsOfRows(ask: Ask, schema: Schema, tables: Tables): Promise<string[]> {
  const { accounts, characters } = tables
  const found = [...(await findingsOfNames(ask, schema, accounts))]
  for (const { table, source } of amountsOf(tables))
    found.push(...(await findingsOfAmount(ask, table, source)))
  if (characters.head !== null) {
    const rows = await ask(
      `SELECT COUNT(*) AS n FROM ${quoted(characters.table)} WHERE ${quoted(characters.head)} < 0`,
    )
    const count = readNumber(rows?.[0]?.n) ?? 0
    if (count > 0) found.push(`${characters.table}.${characters.head}: ${count} below 0, shown as 0`)
  }
  return found
}

async function findingsOfNames(ask: Ask, schema: Schema, accounts: Tables['accounts']): Promise<string[]> {
  const place = `${accounts.table}.${accounts.name}`
  const [table, column] = [quoted(accounts.table), quoted(accounts.name)]
  const rows = await ask(`SELECT ${column} AS name FROM ${table} LIMIT ${NAMES_MAX}`)
  if (rows === null) return [`not looked at, since it took too long: ${place}`]
  const names = rows.map(({ name }) => nameOf(name) ?? '')
  // As the adapter compares: the column may take marks, or blanks at the end, for nothing.
  const doubled = [...Map.groupBy(names, keyOf)].filter(([, forms]) => forms.length > 1)
  const isIdentical = (forms: readonly string[]) => new Set(forms).size === 1
  const keysOf = (found: readonly [string, string[]][]) => found.map(([key]) => key).sort()
  const { collation = '' } = findColumn(schema, accounts.table, accounts.name) ?? {}
  const alike = collation.endsWith('_bin') ? [] : await takenForTheSame(ask, { table, column })
  return [
    ...(names.length === NAMES_MAX ? [`only ${NAMES_MAX} names of ${place} were looked at`] : []),
    ...named(
      `identical names that several accounts have (no deliveries) in ${place}`,
      keysOf(doubled.filter(([, forms]) => isIdentical(forms))),
    ),
    ...named(
      `names that several accounts have and that differ in capitals (no deliveries) in ${place}`,
      keysOf(doubled.filter(([, forms]) => !isIdentical(forms))),
    ),
    ...named(
      `names that are different ones, though the collation ${collation} takes them for the same (marks, blanks at the end) in ${place}`,
      alike,
    ),
    ...named(
      `names with other signs than letters without marks and digits (no deliveries: the portal has no such accounts) in ${place}`,
      names.filter((name) => /[^A-Za-z0-9]/.test(name)),
    ),
    ...named(
      `names shorter than ${NAME_LENGTH.min} characters (no deliveries) in ${place}`,
      names.filter(({ length }) => length < NAME_LENGTH.min),
    ),
    ...named(
      `names longer than ${NAME_LENGTH.max} characters (no deliveries) in ${place}`,
      names.filter(({ length }) => length > NAME_LENGTH.max),
    ),
    ...named(
      `names with admin in them, which the portal keeps for its staff (they stay behind at the import) in ${place}`,
      names.filter((name) => keyOf(name).includes('admin')),
    ),
  ]
}

async function takenForTheSame(ask: Ask, { table, column }: { table: string; column: string }) {
  const letters = `LOWER(CONVERT(${column} USING utf8mb4)) COLLATE utf8mb4_bin`
  const rows = await ask(
    `SELECT MIN(${column}) AS name FROM ${table} GROUP BY ${column} HAVING COUNT(DISTINCT ${letters}) > 1
      ORDER BY 1 LIMIT ${COUNTED_MAX}`,
  )
  return rows?.map(({ name }) => nameOf(name) ?? '') ?? null
}

function named(what: string, names: readonly string[] | null): string[] {
  if (names === null) return [`not looked at, since it took too long: ${what}`]
  return names.length === 0
    ? []
    : [`${what}: ${names.length}, such as ${names.slice(0, NAMED_MAX).join(', ')}`]
}

async function findingsOfAmount(ask: Ask, table: string, source: Source): Promise<string[]> {
  const [value, column] = [sortable(source), columnOf(source)]
  const rows = await ask(
    `SELECT SUM(${value} > ${INT_MAX}) AS beyond, SUM(${value} >= ${CAP}) AS at_cap, SUM(${value} >= ${CAP * 0.9}) AS near_cap
       FROM ${quoted(table)}`,
  )
  if (rows === null) return [`not looked at, since it took too long: values of ${table}.${column}`]
  const count = (key: string) => readNumber(rows[0]?.[key]) ?? 0
  const [beyond, at, near] = [count('beyond'), count('at_cap'), count('near_cap')]
  return [
    ...(beyond > 0
      ? [`values: ${beyond} of ${table}.${column} above ${INT_MAX}, which getInt cannot read`]
      : []),
    ...(near > 0
      ? [
          `values: ${near} of ${table}.${column} above 90 % of the cap ${CAP}, ${at} at the cap or above: more waits`,
        ]
      : []),
  ]
}

/** Settings of the server under which acknowledged deliveries or numbers can be lost. */
export async function findingsOfServer(ask: Ask): Promise<string[]> {
  const rows = await ask(
    `SELECT @@GLOBAL.sql_mode AS mode, @@GLOBAL.innodb_flush_log_at_trx_commit AS flush, VERSION() AS version`,
  )
  const [row] = rows ?? []
  const mode = textOf(row?.mode) ?? ''
  const flush = String(row?.flush ?? '')
  return [
    `server: ${textOf(row?.version) ?? 'unknown'}`,
    ...(/STRICT_(ALL|TRANS)_TABLES/.test(mode)
      ? []
      : [
          `sql_mode is not strict (${mode || 'empty'}): the game's numbers that do not fit are cut without an error`,
        ]),
    ...(flush === '1'
      ? []
      : [`innodb_flush_log_at_trx_commit is ${flush}: a power cut can lose deliveries that were answered`]),
  ]
}
