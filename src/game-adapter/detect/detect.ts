import { CLASS_NAMES } from '#contract/characters.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { CAP, GameAdapterError } from '../config.ts'
import { DatabaseUnavailable, openDatabase, quoted, type Database, type Row } from '../database.ts'
import type { Preset, Tables } from '../presets.ts'
import { readSchema, type Schema, type Table } from '../schema.ts'
import { readNames, readNumber, textOf } from '../values.ts'
import { findingsOfRows, findingsOfSchema, findingsOfServer, type Ask } from './findings.ts'
import { accountTables, guessFor, listColumns, type Guess } from './guess.ts'
import { findingsOfLetters } from './letters.ts'

const STATEMENT_MS = 5_000
/** After this long nothing more is asked. */
const TOTAL_MS = 45_000
const SAMPLE_ROWS = 200
const VALUES_MAX = 100

export type Detected = {
  /** The file to begin with, without address and secret. */
  file: Record<string, unknown>
  tables: Tables & { preset: Preset }
  findings: string[]
}

/** Looks at a database without changing it: its shape, and what stands in the way. */
export async function detect(url: string): Promise<Detected> {
  const database = openDatabase(url, { connections: 1, statementMs: STATEMENT_MS })
  try {
    const schema = await database.use(readSchema)
    const ask = askWithin(database, performance.now() + TOTAL_MS)
    const guess = await guessShape(ask, schema)
    if (guess === null) throw new GameAdapterError(notRecognised(database.name, schema))
    return {
      file: await proposedFile(ask, guess),
      tables: guess,
      findings: [
        ...(await findingsOfServer(ask)),
        ...findingsOfSchema(schema, guess),
        ...(await findingsOfRows(ask, guess)),
        ...(await findingsOfLetters(ask, schema, guess)),
      ],
    }
  } finally {
    await database.close()
  }
}

/** A statement of its own each time: what takes too long is ended by the server, or with its connection. */
const askWithin =
  (database: Database, end: number): Ask =>
  async (sql, values = []) => {
    if (performance.now() > end) return null
    try {
      return await database.use((session) => session.rows(sql, values))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return null
      throw error
    }
  }

async function guessShape(ask: Ask, schema: Schema): Promise<Guess | null> {
  for (const table of accountTables(schema)) {
    const guess = guessFor(schema, table, await listsOf(ask, table))
    if (guess !== null) return guess
  }
  return null
}

/** The columns of a table that hold lists of names, by some of its rows. */
async function listsOf(ask: Ask, table: Table): Promise<string[]> {
  const found: string[] = []
  for (const column of listColumns(table)) {
    const rows = await ask(
      `SELECT ${quoted(column)} AS value FROM ${quoted(table.name)}
        WHERE ${quoted(column)} LIKE '[%' LIMIT ${SAMPLE_ROWS}`,
    )
    const lists = (rows ?? []).filter(({ value }) => isListOfNames(value))
    if (lists.length > 0 && lists.length * 2 >= (rows ?? []).length) found.push(column)
  }
  return found
}

/** Items and bags are lists too, but of objects and numbers. */
function isListOfNames(value: unknown): boolean {
  const names = readNames(value)
  return names !== undefined && names.length > 0 && names.every((name) => !/^-?\d+$/.test(name))
}

async function proposedFile(ask: Ask, guess: Guess): Promise<Record<string, unknown>> {
  const { preset, accounts, characters, luong, password } = guess
  const { table } = characters
  const distinct = async (column: string | null): Promise<Row[]> => {
    if (column === null) return []
    const one = quoted(column)
    return (await ask(`SELECT DISTINCT ${one} AS value FROM ${quoted(table)} LIMIT ${VALUES_MAX}`)) ?? []
  }
  const numbers = async (column: string | null) => {
    const found = (await distinct(column)).map(({ value }) => readNumber(value) ?? -1)
    return [...new Set(found)].filter((value) => value >= 0 && value <= 100_000).sort((a, b) => a - b)
  }
  const servers = (await distinct(characters.server)).flatMap(({ value }) => {
    const id = typeof value === 'number' ? String(value) : (textOf(value) ?? '')
    return id === '' ? [] : [{ id, name: `Server ${id}` }]
  })
  const classes = await numbers(characters.class)
  return {
    preset,
    luong,
    accounts,
    characters: preset === 'one-row' ? withoutKeys(characters) : characters,
    caps: { luong: CAP, yen: CAP },
    servers: servers.length > 0 ? servers : [{ id: '1', name: 'Server 1' }],
    items: itemsOfPackages(),
    classes: Object.fromEntries(classes.map((number) => [number, CLASS_NAMES[number] ?? `Class ${number}`])),
    heads: await numbers(characters.head),
    import: { password },
  }
}

const withoutKeys = ({ table: _table, id: _id, account: _account, ...columns }: Tables['characters']) =>
  columns

/** What the portal sells: the game has to know these codes. */
function itemsOfPackages() {
  const codes = GIFT_PACKAGES.flatMap(({ items }) => items.flatMap(({ good }) => good.code ?? []))
  return [...new Set(codes)].map((code) => ({ code, name: code, max: 1 }))
}

function notRecognised(name: string, { tables }: Schema): string {
  const names = [...tables.keys()].slice(0, 20).join(', ') || 'none that this account may read'
  return (
    `The database ${name} has no table of accounts with a name and a password beside characters with a name and a ` +
    `level. Its tables: ${names}. Write game.json by docs/game-adapter.md instead.`
  )
}
