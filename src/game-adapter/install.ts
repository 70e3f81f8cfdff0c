import { missingColumns } from './checks.ts'
import { GameAdapterError, type Config } from './config.ts'
import { DatabaseUnavailable, isOfDatabase, openDatabase, quoted, type Database } from './database.ts'
import { advice, refusals } from './refusals.ts'
import { findTable, readSchema, type Schema } from './schema.ts'
import { indexStatement, missingIndexes, PORTAL_TABLES, SCHEMA_VERSION, wantedIndexes } from './tables.ts'
import { textOf } from './values.ts'

/** An index on a large table takes its time. */
const STATEMENT_MS = 30 * 60_000

type Print = (line: string) => void

/** Prints the statements that are missing and carries them out when asked to. Returns how many there were. */
export async function install(
  config: Config,
  { isCarriedOut, print }: { isCarriedOut: boolean; print: Print },
) {
  const database = openDatabase(config.database, { connections: 1, statementMs: STATEMENT_MS })
  try {
    const schema = await database.use((session) => readSchema(session, config))
    const statements = await missingStatements(database, schema, config)
    for (const line of advice(schema, config)) print(`-- To consider: ${line}`)
    for (const statement of statements) print(`${statement};\n`)
    if (statements.length === 0) print('-- Everything is there; nothing to do.')
    else if (isCarriedOut) {
      await carryOut(database, config, statements)
      print('-- Done.')
    } else print('-- Nothing was changed. The same with --yes carries it out.')
    return statements.length
  } finally {
    await database.close()
  }
}

async function missingStatements(database: Database, schema: Schema, config: Config): Promise<string[]> {
  const missing = missingColumns(schema, config)
  if (missing.length > 0) {
    throw new GameAdapterError(
      `The database ${database.name} has no ${missing.join(', no ')}, or this account may not read it.`,
    )
  }
  const wrong = await refusals(database, schema, config)
  if (wrong.length > 0)
    throw new GameAdapterError(`The file cannot be right:\n${wrong.map((line) => `  - ${line}`).join('\n')}`)
  const tables = Object.entries(PORTAL_TABLES).filter(([name]) => findTable(schema, name) === undefined)
  const indexes = missingIndexes(schema, wantedIndexes(config))
  const hasState = findTable(schema, 'portal_state') !== undefined
  const version = hasState
    ? await database.use((session) => session.rows(`SELECT value FROM portal_state WHERE name = 'schema'`))
    : []
  return [
    ...tables.map(([, statement]) => statement),
    ...(textOf(version[0]?.value) === SCHEMA_VERSION
      ? []
      : [
          `INSERT INTO portal_state (name, value) VALUES ('schema', '${SCHEMA_VERSION}') ON DUPLICATE KEY UPDATE value = '${SCHEMA_VERSION}'`,
        ]),
    ...indexes.map((index) => indexStatement(schema, index)),
  ]
}

const WITHOUT_RIGHT = new Set([
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
])

async function carryOut(database: Database, config: Config, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    try {
      await database.use((session) => session.change(statement))
    } catch (error) {
      const cause = error instanceof DatabaseUnavailable ? error.cause : error
      if (!isOfDatabase(cause)) throw error
      const [first = ''] = statement.split('\n')
      if (!WITHOUT_RIGHT.has(cause.code)) throw new GameAdapterError(`${first}: ${cause.message}`)
      throw new GameAdapterError(`${first}: this account may not.\n\n${rightsInWords(database.name, config)}`)
    }
  }
}

/** What an account needs: more for the installation than to serve. */
function rightsInWords(schema: string, { accounts, characters }: Config): string {
  const account = `'<account>'@'<host>'`
  const tables = [...new Set([accounts.table, characters.table])]
  const own = Object.keys(PORTAL_TABLES)
  return [
    'To install, as an account that may grant (or install with that one):',
    `  GRANT SELECT, CREATE, INSERT, UPDATE, INDEX ON \`${schema}\`.* TO ${account};`,
    'To serve, afterwards:',
    ...tables.map((table) => {
      const place = table.includes('.') ? table : `${schema}.${table}`
      return `  GRANT SELECT ON ${quoted(place)} TO ${account};`
    }),
    ...own.map((table) => `  GRANT SELECT, INSERT, UPDATE ON \`${schema}\`.\`${table}\` TO ${account};`),
  ].join('\n')
}
