import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'pg'
import { HOUSE } from '#server/modules/wallet/index.ts'
import { prepareInstallation } from '#server/start/database.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { openLog } from '#server/platform/log/log.ts'
import type { Cleanup } from '../harness/fleet.ts'
import { addDatabase, CLIENTS, gatherStatistics, insertRows, startMeasuredPostgres } from './databases.ts'
import { inRounds, mediansOf, ratioOf } from './rounds.ts'
import { fillPlayers, PLAYERS } from './world.ts'

/** A transfer of one between two accounts, the second of the pair being the hot one where there is one. */
type Ledger = { transfer(from: number, to: number | 'hot' | 'house'): Promise<unknown> }

const anAccount = () => Math.floor(Math.random() * PLAYERS)

function anotherThan(account: number): number {
  const other = Math.floor(Math.random() * (PLAYERS - 1))
  return other < account ? other : other + 1
}

const ACTS: Record<string, (ledger: Ledger) => Promise<unknown>> = {
  'spread over 1,000 accounts': (ledger) => {
    const from = anAccount()
    return ledger.transfer(from, anotherThan(from))
  },
  'one hot account': (ledger) => ledger.transfer(anotherThan(0), 'hot'),
  'an account of the portal': (ledger) => ledger.transfer(anAccount(), 'house'),
}

/**
 * One statement and its commit for each transfer, by as many clients: our posting with all its guards against pgledger,
 * whose SQL lies in `folder` as in its repository, in turn on one PostgreSQL.
 */
export async function benchLedger(folder: string, { pairs, seconds }: { pairs: number; seconds: number }) {
  await using cleanup = new AsyncDisposableStack()
  const postgres = await startMeasuredPostgres(cleanup)
  const ours = await openOurs(cleanup, await addDatabase(postgres.url, 'ours'))
  const theirs = await openPgledger(cleanup, await addDatabase(postgres.url, 'pgledger'), folder)
  const yardstick = await addDatabase(postgres.url, 'yardstick')
  const ms = seconds * 1_000
  const loads: Record<string, object> = {}
  for (const [load, act] of Object.entries(ACTS)) {
    const runs = await inRounds(pairs, {
      pgledger: () => postgres.measure(ms, () => act(theirs)),
      ours: () => postgres.measure(ms, () => act(ours)),
    })
    loads[load] = {
      pgledger: mediansOf(runs.pgledger),
      ours: mediansOf(runs.ours),
      ratio: ratioOf('perSecond', runs.ours, runs.pgledger),
    }
  }
  return { clients: CLIENTS, pairs, rowInserts: await insertRows(yardstick, ms), loads }
}

function openPool(cleanup: Cleanup, url: string): Pool {
  const pool = new Pool({ connectionString: url, max: CLIENTS })
  cleanup.defer(() => pool.end())
  return pool
}

async function openOurs(cleanup: Cleanup, url: string): Promise<Ledger> {
  await migrateDatabase(url, openLog('error'))
  await prepareInstallation({ ownerUrl: url, isDemo: false, providers: [] })
  await fillPlayers(url)
  const pool = openPool(cleanup, url)
  const { rows } = await pool.query<{ id: string }>(
    'SELECT wallet_account_id AS id FROM users ORDER BY users.id LIMIT $1',
    [PLAYERS],
  )
  const post = (kind: string, debit: string | undefined, credit: string | undefined) =>
    pool.query({
      name: 'transfer',
      text: `SELECT * FROM ledger_post($1, $2, $3, 1, 'bench', $4, NULL, NULL, NULL, NULL)`,
      values: [kind, debit, credit, randomUUID()],
    })
  return {
    transfer: (from, to) =>
      to === 'house'
        ? post('adjustment', HOUSE.recharge, rows[from]?.id)
        : post('p2p', rows[from]?.id, rows[to === 'hot' ? 0 : to]?.id),
  }
}

const FILES = [
  'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
  'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
  'pgledger.sql',
]

async function openPgledger(cleanup: Cleanup, url: string, folder: string): Promise<Ledger> {
  await asOwner(url, async (client) => {
    for (const file of FILES) await client.query(await readFile(join(folder, file), 'utf8'))
  })
  const pool = openPool(cleanup, url)
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM generate_series(1, $1) AS n, pgledger_create_account('account ' || n, 'USD')`,
    [PLAYERS],
  )
  await gatherStatistics(url)
  return {
    transfer: (from, to) =>
      pool.query({
        name: 'transfer',
        text: 'SELECT * FROM pgledger_create_transfer($1, $2, 1)',
        // The portal is one account as any other there.
        values:
          to === 'house'
            ? [rows[0]?.id, rows[1 + (from % (PLAYERS - 1))]?.id]
            : [rows[from]?.id, rows[to === 'hot' ? 0 : to]?.id],
      }),
  }
}
