import { CLASS_NAMES } from '#contract/characters.ts'
import { unnamed } from '#contract/operator/game/names.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { CAP, GameAdapterError } from '../config.ts'
import { DatabaseUnavailable, openDatabase, type Database } from '../database.ts'
import type { Tables } from '../presets.ts'
import { readSchema, type Schema } from '../schema.ts'
import { readNumber, textOf } from '../values.ts'
import { accountTables, characterTables, originalOf } from './candidates.ts'
import { contactColumns } from './contacts.ts'
import { findingsOfRows, findingsOfSchema, findingsOfServer } from './findings.ts'
import { guessFor, type Guess } from './guess.ts'
import { findingsOfLetters } from './letters.ts'
import { limitsOf } from './limits.ts'
import { Links, type Link } from './links.ts'
import { Samples, type Ask } from './samples.ts'

const STATEMENT_MS = 1_500
/** After this long nothing more is asked. */
const TOTAL_MS = 4_000
const VALUES_MAX = 100

export type Detected = {
  /** The file to begin with, without address and secret. */
  file: Record<string, unknown>
  tables: Guess
  /** What speaks for the file. */
  reasons: string[]
  /** What may be wrong with it, and what stands in the way. */
  findings: string[]
  /** What to do now. */
  next: string[]
}

/** Looks at a database without changing it: its shape, and what stands in the way. */
export async function detect(url: string): Promise<Detected> {
  const database = openDatabase(url, { connections: 1, statementMs: STATEMENT_MS })
  try {
    const schema = await database.use((session) => readSchema(session, 'every database'))
    const ask = askWithin(database, performance.now() + TOTAL_MS)
    const samples = new Samples(ask)
    const links = await linksIn(schema, samples)
    const [best] = links
    if (best === undefined) throw new GameAdapterError(await notRecognised(schema, samples))
    const guess = await guessFor(samples, best)
    const limits = await limitsOf(schema, samples, guess)
    return {
      file: { ...(await proposedFile(schema, samples, guess)), limits: limits.section },
      tables: guess,
      reasons: guess.reasons,
      findings: [
        ...(await findingsOfServer(ask)),
        ...guess.doubts,
        ...othersThan(best, links),
        ...findingsOfSchema(schema, guess),
        ...limits.findings,
        ...(await findingsOfRows(ask, schema, guess)),
        ...(await findingsOfLetters(ask, schema, guess)),
      ],
      next: [
        ...guess.next,
        'read the file: are these your tables and columns? Name your servers and items',
        'npm run game-adapter -- install game.json prints the tables and indexes that are missing',
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

async function linksIn(schema: Schema, samples: Samples): Promise<Link[]> {
  const accounts = await accountTables(schema, samples)
  if (accounts.length === 0) return []
  const links = new Links(schema, samples)
  return links.between(accounts, await characterTables(schema, samples))
}

/** What else could have been meant: nearly as well proven, in other tables. */
function othersThan(best: Link, links: readonly Link[]): string[] {
  const tablesOf = ({ accounts, characters }: Link) => `${accounts.table.path} with ${characters.table.path}`
  const others = links
    .filter((link) => tablesOf(link) !== tablesOf(best) && link.score > best.score * 0.75)
    .map((link) => `also possible: ${tablesOf(link)} (${link.reasons[0] ?? ''})`)
  return [...new Set(others)].slice(0, 3)
}

async function proposedFile(
  schema: Schema,
  samples: Samples,
  guess: Guess,
): Promise<Record<string, unknown>> {
  const { preset, accounts, characters, luong, password } = guess
  const table = schema.tables.find(({ path }) => path === characters.table)
  const owner = schema.tables.find(({ path }) => path === accounts.table)
  const distinct = async (column: string | null) =>
    table === undefined || column === null ? [] : samples.distinct(table, column, VALUES_MAX)
  const numbers = async (column: string | null) => {
    const found = (await distinct(column)).map((value) => readNumber(value) ?? -1)
    return [...new Set(found)].filter((value) => value >= 0 && value <= 100_000).sort((a, b) => a - b)
  }
  const servers = (await distinct(characters.server)).flatMap((value) => {
    const id = typeof value === 'number' ? String(value) : (textOf(value) ?? '')
    return id === '' || id.length > 64 ? [] : [{ id, name: `Máy chủ ${id}` }]
  })
  const classes = await numbers(characters.class)
  return {
    preset,
    luong,
    accounts,
    characters: preset === 'one-row' ? withoutKeys(characters) : characters,
    caps: { luong: CAP, yen: characters.yen === null ? 0 : CAP },
    servers: servers.length > 0 ? servers : [{ id: '1', name: 'Máy chủ 1' }],
    items: itemsOfPackages(),
    classes: Object.fromEntries(
      classes.map((number) => [number, CLASS_NAMES[number] ?? unnamed('class', String(number))]),
    ),
    heads: await numbers(characters.head),
    import: { password, ...(owner === undefined ? {} : await contactColumns(samples, owner)) },
  }
}

const withoutKeys = ({ table: _table, id: _id, account: _account, ...columns }: Tables['characters']) =>
  columns

/** What the portal sells: the game has to know these codes. */
function itemsOfPackages() {
  const codes = GIFT_PACKAGES.flatMap(({ items }) => items.flatMap(({ good }) => good.code ?? []))
  return [...new Set(codes)].map((code) => ({ code, name: code, max: 1 }))
}

const SHOWN_MAX = 20

async function notRecognised(schema: Schema, samples: Samples): Promise<string> {
  const accounts = await accountTables(schema, samples)
  const characters = await characterTables(schema, samples)
  const called = (tables: readonly { table: { path: string } }[]) =>
    tables
      .slice(0, SHOWN_MAX)
      .map(({ table }) => table.path)
      .join(', ')
  const all = schema.tables.filter(
    (table) => !table.name.startsWith('portal_') && originalOf(schema, table) === null,
  )
  const names = all.slice(0, SHOWN_MAX).map(({ path }) => path)
  const rest = all.length > SHOWN_MAX ? ` and ${all.length - SHOWN_MAX} more` : ''
  const [missing, seen] =
    accounts.length === 0
      ? ['no table of accounts with a name and a password', '']
      : characters.length === 0
        ? [
            'no table of characters with a name and a level, experience, class or the like',
            `Accounts may be in ${called(accounts)}. `,
          ]
        : [
            'no way from accounts to characters: no JSON list of names that occur, no column with the accounts’ ids',
            `Accounts may be in ${called(accounts)}, characters in ${called(characters)}. `,
          ]
  return (
    `The database ${schema.database} has ${missing}. ${seen}Its tables: ${names.join(', ') || 'none that this account may read'}${rest}. ` +
    `Next: give this account the right to read the game's other databases, or write game.json by docs/game-adapter.md (examples: deploy/game/).`
  )
}
