import pg from 'pg'
import type { Db } from '#server/platform/db/database.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { newFolder, openRunDatabase, startPostgres, type Ends } from '../../harness/fleet.ts'
import { ACCOUNTS, type Scenario } from './scenario.ts'

type Running = { url: string; end(): Promise<unknown> }

export type Setup = {
  portal: Running
  /** As the database's owner. */
  owner: pg.Client
  ownerUrl: string
  db: Db
}

export type SetupOptions = {
  /** The owner's connection string of an empty database; by default an embedded PostgreSQL is started. */
  databaseUrl?: string
  /** Starts the portal in the test's own process, which is faster than a separate one. */
  startPortal?: (environment: Record<string, string>) => Promise<Running>
}

/** A production-like portal: no demo, four providers' webhooks. */
export async function openSetup(ends: Ends, { databaseUrl, startPortal }: SetupOptions): Promise<Setup> {
  const dataDir = await newFolder(ends, 'notices')
  const ownerUrl = databaseUrl ?? (await startPostgres(ends, dataDir))
  const environment = {
    DATABASE_URL: ownerUrl,
    DATA_DIR: dataDir,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: '127.0.0.1',
    ...PAYMENT_ENVIRONMENT,
  }
  const portal = await (startPortal?.(environment) ?? startPortalProcess({ dataDir, environment }))
  ends.defer(async () => void (await portal.end()))
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  ends.defer(() => owner.end())
  return { portal, owner, ownerUrl, db: await openRunDatabase(ends, ownerUrl) }
}

/** Players' ids begin here, clear of those the portal assigns itself. */
export const FIRST_PLAYER = 5_000_000

const NAMES = { vietcombank: '970436', acb: '970416', momo: '971025' } as const

/** Inserts the players and orders of the run in their state before the money arrives. */
export async function insertScenario({ owner }: Setup, scenario: Scenario): Promise<void> {
  for (const [bank, bin] of Object.entries(NAMES)) {
    const number = ACCOUNTS[bank as keyof typeof NAMES]
    const account = {
      bin,
      number,
      name: 'CONG TY NINJA',
      ...(bank === 'momo' ? { reference: 'MOMOW2W12345678' } : {}),
    }
    await owner.query(
      `INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [`bank_account_${bank}`, JSON.stringify(account)],
    )
  }
  await owner.query(
    `INSERT INTO users (id, username, password_hash, server_id, wallet_account_id, ban_until, ban_reason)
     SELECT $1::bigint + at - 1, 'thuthach' || at, 'no password opens this', (SELECT min(id) FROM servers),
       ledger_open_account('user_wallet', $1::bigint + at - 1),
       CASE WHEN is_banned THEN now() + interval '1 year' END, CASE WHEN is_banned THEN 'thử' END
       FROM unnest($2::boolean[]) WITH ORDINALITY AS player (is_banned, at)`,
    [FIRST_PLAYER, scenario.players.map(({ isBanned }) => isBanned)],
  )
  const { orders } = scenario
  await owner.query(
    `INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr,
       status, created_at, expires_at)
     SELECT code, $1::bigint + player, channel, amount, rate, '970436', account, 'CONG TY NINJA', '', status, created_at,
       created_at + interval '30 minutes'
       FROM unnest($2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::timestamptz[])
         AS planned (code, player, channel, amount, rate, account, status, created_at)`,
    [
      FIRST_PLAYER,
      orders.map(({ code }) => code),
      orders.map(({ player }) => player),
      orders.map(({ channel }) => channel),
      orders.map(({ amount }) => amount),
      orders.map(({ rate }) => rate),
      orders.map(({ account }) => account),
      orders.map(({ isCancelled }) => (isCancelled ? 'cancelled' : 'pending')),
      orders.map(({ createdAt }) => createdAt),
    ],
  )
  await owner.query('ANALYZE')
}
