import { missingColumns } from './checks.ts'
import { GameAdapterError, type Config } from './config.ts'
import { DatabaseUnavailable, isOfDatabase, openDatabase, type Database } from './database.ts'
import { readSchema, textLengths } from './schema.ts'
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
    const statements = await missingStatements(database, config)
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

async function missingStatements(database: Database, config: Config): Promise<string[]> {
  const schema = await database.use(readSchema)
  const missing = missingColumns(schema, config)
  if (missing.length > 0) {
    throw new GameAdapterError(
      `The database ${database.name} has no ${missing.join(', no ')}, or this account may not read it.`,
    )
  }
  const lengths = textLengths(schema)
  const tables = Object.entries(PORTAL_TABLES).filter(([name]) => !schema.tables.has(name))
  const indexes = missingIndexes(wantedIndexes(config), schema.indexes)
  const hasState = schema.tables.has('portal_state')
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
    ...indexes.map((index) => indexStatement(index, lengths)),
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
    ...tables.map((table) => `  GRANT SELECT ON \`${schema}\`.\`${table}\` TO ${account};`),
    ...own.map((table) => `  GRANT SELECT, INSERT, UPDATE ON \`${schema}\`.\`${table}\` TO ${account};`),
  ].join('\n')
}
