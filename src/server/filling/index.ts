import type { Client } from 'pg'
import { seedServers as demoServers } from '#seeds/servers.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { passwordHasher } from '../modules/accounts/index.ts'
import { computeStatistics, countCampaigns } from '../modules/statistics/index.ts'
import { seedServers } from '../seeding/index.ts'
import { caseTables } from './case-tables.ts'
import { copyRows, takeOff, type TableRows } from './copying.ts'
import { giftCodeHashes, giftCodeTables } from './gift-code-tables.ts'
import { balancesAfter, ledgerTables } from './ledger-tables.ts'
import { moneyInTables } from './money-in-tables.ts'
import { usernameOf, type Existing, type Plan } from './plan.ts'
import { gameTables, playerTables } from './player-tables.ts'
import { purchaseTables } from './purchase-tables.ts'
import { rewardTables } from './reward-tables.ts'

export const tablesOf = (plan: Plan, existing: Existing): TableRows[] => [
  ...ledgerTables(plan, existing),
  ...playerTables(plan, existing),
  ...moneyInTables(plan, existing),
  ...purchaseTables(plan, existing),
  ...rewardTables(plan, existing),
  ...caseTables(plan),
  ...gameTables(plan, existing),
  ...giftCodeTables(plan, existing),
]

export type Filled = { rows: number; bytes: number; username: string; password: string }

const PASSWORD = 'mat-khau-dem-12'

/** Fills an empty database with players and everything they did, as the portal itself would have written it. */
export async function fillDatabase(
  deps: PlatformDeps,
  ownerUrl: string,
  { players, entries, seed }: Omit<Plan, 'now'>,
): Promise<Filled> {
  const plan = { players, entries, seed, now: deps.clock.now() }
  await asOwner(ownerUrl, requireEmpty)
  await seedServers(deps, demoServers)
  const codeHashes = await giftCodeHashes(deps.vault, plan)
  const rows = await asOwner(ownerUrl, async (client) => {
    await client.query('BEGIN')
    // Whoever comes at the same time waits, and then finds it filled.
    await client.query('LOCK TABLE users, ledger_account IN ACCESS EXCLUSIVE MODE')
    await requireEmpty(client)
    const written = await writeRows(client, plan, codeHashes)
    await client.query('COMMIT')
    await client.query('VACUUM (ANALYZE)')
    return written
  })
  const bytes = await asOwner(ownerUrl, sizeOf)
  return { rows, bytes, username: usernameOf(plan, 0), password: PASSWORD }
}

/** Computes the figures of every hour since the first player and the reports of campaigns, as the worker's jobs do. */
export async function fillStatistics({ db, log, clock }: PlatformDeps): Promise<void> {
  const now = clock.now()
  while (await computeStatistics({ db, log, now }));
  while (await countCampaigns({ db, log }));
}

async function writeRows(client: Client, plan: Plan, codeHashes: readonly Buffer[]): Promise<number> {
  const existing = { ...(await readExisting(client)), codeHashes }
  const tables = tablesOf(plan, existing)
  await client.query(`SET LOCAL maintenance_work_mem = '512MB'`)
  const putBack = await takeOff(client, tables)
  let rows = 0
  for (const table of tables) {
    const written = await copyRows(client, table)
    rows += written
    if (table.columns[0] === 'id' && written > 0) await continueAfter(client, table.table, plan.players)
  }
  await setHouseAccounts(client, plan, existing)
  await putBack()
  return rows
}

/** The next id a table gives is the one after its last. Ids of the ledger's own accounts lie above those given. */
async function continueAfter(client: Client, table: string, players: number): Promise<void> {
  const found = await client.query<{ serial: string | null }>(
    `SELECT pg_get_serial_sequence($1, 'id') AS serial`,
    [table],
  )
  const serial = found.rows[0]?.serial ?? null
  if (serial === null) return
  const last = table === 'ledger_account' ? String(players) : `(SELECT max(id) FROM ${table})`
  await client.query(`SELECT setval($1, ${last})`, [serial])
}

/** The ledger's own accounts are there already; their balances follow from what was written. */
async function setHouseAccounts(client: Client, plan: Plan, existing: Existing): Promise<void> {
  const { house } = balancesAfter(plan, existing)
  const accounts = 'ledger_account'
  for (const [id, { balance, version }] of house)
    await client.query(`UPDATE ${accounts} SET balance = $2, version = $3 WHERE id = $1`, [
      id,
      balance,
      version,
    ])
}

async function readExisting(client: Client): Promise<Omit<Existing, 'codeHashes'>> {
  const servers = await client.query<{ id: string }>('SELECT id FROM servers ORDER BY position, id')
  const house = await client.query<{ kind: string; ids: string[] }>(
    `SELECT kind, array_agg(id ORDER BY id)::text[] AS ids FROM ledger_account WHERE user_id IS NULL GROUP BY kind`,
  )
  return {
    servers: servers.rows.map(({ id }) => id),
    house: new Map(house.rows.map(({ kind, ids }) => [kind, ids.map(Number)])),
    passwordHash: await passwordHasher.inLine(null, ({ hash }) => hash(PASSWORD)),
  }
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_used: boolean }>(
    'SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM ledger_transfer) AS is_used',
  )
  if (rows[0]?.is_used === false) return
  throw new SetupProblem(
    'this database is not empty: fill another one, by another DATA_DIR or DATABASE_URL that nothing was started with yet',
  )
}

async function sizeOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  )
  return Number(rows[0]?.bytes)
}
