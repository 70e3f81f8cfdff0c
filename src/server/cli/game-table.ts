import { GameAdapterError, readConfigFile, type Config } from '#game-adapter/config.ts'
import {
  DatabaseUnavailable,
  explained,
  openDatabase,
  quoted,
  type Database,
  type Row,
  type Value,
} from '#game-adapter/database.ts'
import { isSet, nameOf, readNumber, textOf } from '#game-adapter/values.ts'
import type { GameAccount, WritableSource } from '#server/modules/account-import/index.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'

const STATEMENT_MS = 60_000
const NAMES_A_PAGE = 5_000
/** One transaction in the portal; its passwords are hashed together. */
const ACCOUNTS_A_PAGE = 250

/** The table of accounts that `game.json` names, read in pages by its key. */
export async function withGameTable<Result>(
  file: string,
  work: (source: WritableSource) => Promise<Result>,
): Promise<Result> {
  try {
    // Serving needs a secret, this does not.
    const config = await readConfigFile(file, { GAME_SERVER_SECRET: 'not-needed-to-import', ...process.env })
    return await withDatabase(config, (database) => work(sourceOf(config, database)))
  } catch (error) {
    throw error instanceof GameAdapterError ? new SetupProblem(error.message, { cause: error }) : error
  }
}

async function withDatabase<Result>(
  { database: url }: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url, { connections: 2, statementMs: STATEMENT_MS })
  try {
    return await work(database)
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? explained(error, url) : error
  } finally {
    await database.close()
  }
}

export function sourceOf(config: Config, database: Database): WritableSource {
  const { accounts, import: section, servers } = config
  if (section === undefined)
    throw new SetupProblem(
      'the file has no part "import": add "import": {"password": "<column of the passwords>"} (docs/runbooks/moving-in.md)',
    )
  const { password, passwords, activated, balance, server, phone, email } = section
  const { table, id, name, banned } = accounts
  const columns = { id, name, password, banned, activated, balance: balance?.column ?? null, phone, email }
  return {
    name: table,
    columns: { id, name },
    serverId: server ?? servers[0]?.id ?? '',
    passwordForm: passwords,
    rate: balance ?? { coins: 1, per: 1 },
    async *names() {
      const read = { table, columns: { id, name }, rows: NAMES_A_PAGE }
      for await (const page of pagesOf(database, read)) yield page.map(accountName)
    },
    async *accounts() {
      const read = { table, columns, rows: ACCOUNTS_A_PAGE }
      for await (const page of pagesOf(database, read)) yield page.map(accountOf)
    },
    overwritePassword: async (account, text) =>
      (await database.use((session) =>
        session.change(
          `UPDATE ${quoted(table)} SET ${quoted(password)} = ? WHERE ${quoted(id)} = ? AND ${quoted(password)} = ?`,
          [text, account.key, account.password],
        ),
      )) > 0,
  }
}

type Pages = { table: string; columns: Record<string, string | null> & { id: string }; rows: number }

async function* pagesOf(database: Database, { table, columns, rows }: Pages): AsyncGenerator<Row[]> {
  const list = Object.entries(columns).flatMap(([as, column]) =>
    column === null ? [] : [`${quoted(column)} AS ${quoted(as)}`],
  )
  let last: Value = null
  for (;;) {
    const after = last
    const page: Row[] = await database.use((session) =>
      session.rows(
        `SELECT ${list.join(', ')} FROM ${quoted(table)} ${after === null ? '' : `WHERE ${quoted(columns.id)} > ?`}
          ORDER BY ${quoted(columns.id)} LIMIT ${rows}`,
        after === null ? [] : [after],
      ),
    )
    if (page.length > 0) yield page
    if (page.length < rows) return
    last = page.at(-1)?.id as Value
  }
}

const keyOf = (value: unknown) => textOf(value) ?? String(value)

const contactOf = (value: unknown) => (value === null || value === undefined ? '' : keyOf(value))

const accountName = (row: Row) => ({ key: keyOf(row.id), name: nameOf(row.name) ?? '' })

const accountOf = (row: Row): GameAccount => ({
  ...accountName(row),
  password: textOf(row.password) ?? '',
  isActivated: isSet(row.activated),
  isBanned: isSet(row.banned),
  balance: readNumber(row.balance),
  phone: contactOf(row.phone),
  email: contactOf(row.email),
})
