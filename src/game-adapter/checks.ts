import { GameAdapterError } from './config.ts'
import { isLatin1 } from './mended-text.ts'
import type { Tables } from './presets.ts'
import type { Database } from './database.ts'
import { columnsIn, findColumn, findTable, readSchema, tablesBehind, type Schema } from './schema.ts'
import { missingIndexes, PORTAL_TABLES, SCHEMA_VERSION, wantedIndexes } from './tables.ts'
import { textOf } from './values.ts'

export type Checked = {
  /** Whether the column of the characters' names has these letters: for others it would refuse every name asked for with it. */
  isComparable: (name: string) => boolean
  warnings: string[]
}

/** What a start needs. Throws one sentence with everything that is missing. */
export async function checkTables(database: Database, config: Tables): Promise<Checked> {
  const schema = await database.use((session) => readSchema(session, config))
  const missing = missingColumns(schema, config)
  if (missing.length > 0) {
    throw new GameAdapterError(
      `The database ${database.name} has no ${missing.join(', no ')}, or this account may not read it.`,
    )
  }
  await checkPortalTables(database, schema)
  return {
    isComparable: lettersOf(charsetOf(schema, config.characters.table, config.characters.name)),
    warnings: [
      ...missingIndexes(schema, wantedIndexes(config)).map(
        ({ table, columns }) =>
          `no index on ${table} (${columns.join(', ')}): lists will be slow until game-adapter install`,
      ),
      ...notInnodb(schema, config).map(
        ([table, engine]) =>
          `${table} is ${engine}, not InnoDB: the game cannot give goods in one transaction`,
      ),
    ],
  }
}

/** The tables and columns of the file that are not there. */
export function missingColumns(schema: Schema, { accounts, characters }: Tables): string[] {
  return [accounts, characters].flatMap((part) => {
    const { table } = part
    const known = findTable(schema, table)
    if (known === undefined) return [`table ${table}`]
    return columnsIn(part)
      .filter((column) => !known.columns.has(column.toLowerCase()))
      .map((column) => `column ${table}.${column}`)
  })
}

async function checkPortalTables(database: Database, schema: Schema): Promise<void> {
  const missing = Object.keys(PORTAL_TABLES).filter((name) => findTable(schema, name) === undefined)
  if (missing.length > 0) {
    throw new GameAdapterError(
      `The database ${database.name} has no table ${missing.join(', ')}: run npm run game-adapter -- install game.json`,
    )
  }
  const other = Object.keys(PORTAL_TABLES).filter(
    (name) => findTable(schema, name)?.engine.toLowerCase() !== 'innodb',
  )
  if (other.length > 0)
    throw new GameAdapterError(`${other.join(', ')}: must be InnoDB, or deliveries are lost.`)
  const version = await database.use(async (session) => {
    const [row] = await session.rows(`SELECT value FROM portal_state WHERE name = 'schema'`)
    return textOf(row?.value)
  })
  if (version !== SCHEMA_VERSION) {
    throw new GameAdapterError(
      `The tables portal_… are of version ${version ?? 'none'}, this adapter needs ${SCHEMA_VERSION}: run npm run game-adapter -- install game.json`,
    )
  }
}

/** The game's tables that roll nothing back. */
export function notInnodb(schema: Schema, { accounts, characters }: Tables): [string, string][] {
  const named = [accounts.table, characters.table].flatMap((table) => findTable(schema, table) ?? [])
  return [...new Set(named.flatMap((table) => tablesBehind(schema, table)))].flatMap(
    ({ path, engine }): [string, string][] => (engine.toLowerCase() === 'innodb' ? [] : [[path, engine]]),
  )
}

export const charsetOf = (schema: Schema, table: string, column: string) =>
  findColumn(schema, table, column)?.charset ?? ''

export function lettersOf(charset: string): (name: string) => boolean {
  if (charset === 'latin1') return isLatin1
  const last = charset === 'ascii' ? 0x7f : charset === 'utf8' || charset === 'utf8mb3' ? 0xffff : 0x10ffff
  return (name) => Array.from(name).every((letter) => (letter.codePointAt(0) ?? 0) <= last)
}
