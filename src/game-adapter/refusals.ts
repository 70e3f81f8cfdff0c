import type { Config } from './config.ts'
import type { Database, Value } from './database.ts'
import { Samples } from './detect/samples.ts'
import type { Source } from './presets.ts'
import { findColumn, findTable, isNumberColumn, type Column, type Schema, type Table } from './schema.ts'
import { columnOf, isInJson } from './sources.ts'
import { nameOf, readNames, readNumber, textOf } from './values.ts'

/** The most that fits into a column. */
const FITTING: Record<string, number> = {
  tinyint: 127,
  smallint: 32_767,
  mediumint: 8_388_607,
  int: 2_147_483_647,
}
const LEVEL_MAX = 100_000
const ASKED = 60

/** What cannot be right in the file, each with the mend. The rows are read in samples. */
export async function refusals(database: Database, schema: Schema, config: Config): Promise<string[]> {
  const samples = new Samples((sql, values = []) => database.use((session) => session.rows(sql, values)))
  return [
    ...wrongAmounts(schema, config),
    ...(await strangers(schema, samples, config)),
    ...(await endlessLevels(schema, samples, config)),
  ]
}

type Numbered = { field: string; table: string; source: Source | null; cap: number | null }

function wrongAmounts(schema: Schema, { accounts, characters, luong, caps }: Config): string[] {
  const all: Numbered[] = [
    {
      field: 'accounts.luong',
      table: accounts.table,
      source: luong === 'account' ? accounts.luong : null,
      cap: caps.luong,
    },
    {
      field: 'characters.luong',
      table: characters.table,
      source: luong === 'character' ? characters.luong : null,
      cap: caps.luong,
    },
    { field: 'characters.yen', table: characters.table, source: characters.yen, cap: caps.yen },
    { field: 'characters.level', table: characters.table, source: characters.level, cap: null },
  ]
  return all.flatMap(({ field, table, source, cap }) => {
    const column =
      source === null || isInJson(source) ? undefined : findColumn(schema, table, columnOf(source))
    return column === undefined ? [] : problemOf(column, { field, table, cap })
  })
}

function problemOf(column: Column, { field, table, cap }: Omit<Numbered, 'source'>): string[] {
  const place = `${table}.${column.name}`
  if (!isNumberColumn(column))
    return [
      `${field}: ${place} is ${column.fullType}, no number: name the column of numbers, or {"column": "${column.name}", "path": "$.…"} where it holds JSON`,
    ]
  const most = (FITTING[column.type] ?? Infinity) * (column.fullType.includes('unsigned') ? 2 : 1)
  return cap !== null && cap > most
    ? [
        `${field}: ${place} is ${column.fullType} and holds at most ${most}: lower caps.${field.split('.')[1]} to what the game takes, at most ${most}`,
      ]
    : []
}

/** Tables whose rows have nothing to do with each other, such as templates taken for characters. */
async function strangers(
  schema: Schema,
  samples: Samples,
  { accounts, characters }: Config,
): Promise<string[]> {
  const [owners, heroes] = [accounts.table, characters.table].map((path) => findTable(schema, path))
  if (owners === undefined || heroes === undefined || owners === heroes) return []
  const isNone = async (table: Table, column: string, values: readonly Value[]) =>
    values.length > 0 &&
    (await samples.of(table)).length > 0 &&
    (await samples.found(table, column, values)).length === 0
  const mend = 'name the tables that belong together: npm run game-adapter -- detect looks for them'
  if (characters.account !== null) {
    const keys = distinct(await samples.values(heroes, characters.account)).filter(
      (key) => key !== 0 && key !== '0',
    )
    return (await isNone(owners, accounts.id, keys))
      ? [
          `characters.account: none of ${keys.length} values of ${heroes.path}.${characters.account} is found in ${owners.path}.${accounts.id}: ${mend}`,
        ]
      : []
  }
  if (accounts.characters === null) return []
  const lists = await samples.values(owners, accounts.characters)
  const names = [...new Set(lists.flatMap((list) => readNames(list) ?? []))].slice(0, ASKED)
  const known = new Set((await samples.values(heroes, characters.name)).map((name) => nameOf(name) ?? ''))
  if (names.some((name) => known.has(name))) return []
  const ascii = names.filter((name) => /^[ -~]+$/.test(name))
  return (await isNone(heroes, characters.name, ascii))
    ? [
        `characters.table: none of ${ascii.length} names in ${owners.path}.${accounts.characters} is found in ${heroes.path}.${characters.name}: ${mend}`,
      ]
    : []
}

const distinct = (values: readonly unknown[]): Value[] =>
  [...new Map(values.map((value) => [textOf(value) ?? String(value), value as Value])).values()].slice(
    0,
    ASKED,
  )

/** Experience or power that is taken for a level. */
async function endlessLevels(schema: Schema, samples: Samples, { characters }: Config): Promise<string[]> {
  const { level } = characters
  const table = findTable(schema, characters.table)
  if (table === undefined || typeof level !== 'string') return []
  const most = Math.max(0, ...(await samples.values(table, level)).map((value) => readNumber(value) ?? 0))
  return most > LEVEL_MAX
    ? [
        `characters.level: ${table.path}.${level} holds ${most}, which is experience or power and no level: {"column": "${level}", "thresholds": [0, …]} with the values from which on each level is, or null`,
      ]
    : []
}

/** What is no fault of the file, but should be mended in the game's tables. */
export function advice(schema: Schema, { accounts }: Config): string[] {
  const table = findTable(schema, accounts.table)
  const isUnique = table?.indexes.some(
    ({ isUnique: unique, columns }) => unique && columns.join() === accounts.name.toLowerCase(),
  )
  return isUnique === true || table?.behind !== null
    ? []
    : [
        `${table.path}.${accounts.name} has no unique index, so two accounts can get one name at the same moment. Once no name is doubled (detect lists them): CREATE UNIQUE INDEX \`portal_one_${accounts.name}\` ON \`${table.path.replaceAll('.', '`.`')}\` (\`${accounts.name}\`)`,
      ]
}
