import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { HOUSE } from '#server/modules/wallet/index.ts'
import { prepareInstallation } from '#server/start/database.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { openLog } from '#server/platform/log/log.ts'
import type { Cleanup } from '../../harness/fleet.ts'
import { atOnce, inHundredths, inPairs, median, type Rate, rateOf } from '../../harness/numbers.ts'
import { insertRows } from './ledger.ts'
import { Server } from './server.ts'
import { fillPlayers, PLAYERS } from './world.ts'

/** How often pgledger's rate ours has to be. */
const RATIO_MIN = { 'spread over 1,000 accounts': 1.8, 'one hot account': 1.5, 'an account of the portal': 3 }
type Load = keyof typeof RATIO_MIN
const LOADS = Object.keys(RATIO_MIN) as Load[]

const CLIENTS = 16
const WARM_UP_MS = 1_000

type One = Rate & { databaseCpuMs: number }
type Compared = {
  pgledger: One
  ours: One
  medianRatio: number
  ratios: number[]
  /** Of a row inserted and committed by as many clients, a second. */
  ofRowInserts: number
}

/** A transfer of one between two accounts, the second of the pair being the hot one where there is one. */
type Ledger = { transfer(from: number, to: number | 'hot' | 'house'): Promise<unknown> }

const anAccount = () => Math.floor(Math.random() * PLAYERS)

function anotherThan(account: number): number {
  const other = Math.floor(Math.random() * (PLAYERS - 1))
  return other < account ? other : other + 1
}

const ACTS: Record<Load, (ledger: Ledger) => Promise<unknown>> = {
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
export async function benchPgledger(folder: string, { pairs, seconds }: { pairs: number; seconds: number }) {
  await using cleanup = new AsyncDisposableStack()
  const server = await Server.start(cleanup)
  const ours = await openOurs(cleanup, await server.addDatabase('ours'))
  const theirs = await openPgledger(cleanup, await server.addDatabase('pgledger'), folder)
  for (const name of ['ours', 'pgledger']) await server.gatherStatistics(name)
  const yardUrl = await server.addDatabase('yardstick')
  const rows: number[] = []
  const loads = {} as Record<Load, Compared>
  for (const load of LOADS) {
    const run = (ledger: Ledger, ms: number) => atOnce(CLIENTS, ms, () => ACTS[load](ledger))
    for (const ledger of [ours, theirs]) await run(ledger, WARM_UP_MS)
    const figures = await inPairs(pairs, async (name): Promise<One> => {
      await server.checkpoint()
      const cpu = await server.cpuMs()
      const { latenciesMs, ms } = await run(name === 'present' ? ours : theirs, seconds * 1_000)
      const databaseCpuMs = inHundredths(((await server.cpuMs()) - cpu) / latenciesMs.length)
      return { ...rateOf(latenciesMs, ms), databaseCpuMs }
    })
    rows.push(await insertRows(yardUrl, seconds * 1_000))
    const { before, present, medianRatio, ratios } = figures
    const ofRowInserts = inHundredths(present.perSecond / (rows.at(-1) ?? 0))
    loads[load] = { pgledger: before, ours: present, medianRatio, ratios, ofRowInserts }
  }
  const isWithin = LOADS.every((load) => loads[load].medianRatio >= RATIO_MIN[load])
  return { clients: CLIENTS, pairs, rowInserts: median(rows), loads, isWithin }
}

function openPool(cleanup: Cleanup, url: string): Pool {
  const pool = new Pool({ connectionString: url, max: CLIENTS })
  cleanup.defer(() => pool.end())
  return pool
}

async function openOurs(cleanup: Cleanup, url: string): Promise<Ledger> {
  const log = openLog('error')
  await migrateDatabase(url, log)
  await prepareInstallation({ ownerUrl: url, isDemo: false, providers: [] })
  await fillPlayers(url)
  const pool = openPool(cleanup, url)
  const { rows } = await pool.query<{ id: string }>(
    'SELECT wallet_account_id AS id FROM users ORDER BY users.id LIMIT $1',
    [PLAYERS],
  )
  const [hot] = rows
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
        : post('p2p', rows[from]?.id, (to === 'hot' ? hot : rows[to])?.id),
  }
}

const FILES = [
  'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
  'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
  'pgledger.sql',
]

async function openPgledger(cleanup: Cleanup, url: string, folder: string): Promise<Ledger> {
  const owner = new Client({ connectionString: url })
  await owner.connect()
  for (const file of FILES) await owner.query(await readFile(join(folder, file), 'utf8'))
  await owner.end()
  const pool = openPool(cleanup, url)
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM generate_series(1, $1) AS n, pgledger_create_account('account ' || n, 'USD')`,
    [PLAYERS],
  )
  const [hot] = rows
  return {
    transfer: (from, to) =>
      pool.query({
        name: 'transfer',
        text: 'SELECT * FROM pgledger_create_transfer($1, $2, 1)',
        // The portal is one account as any other there.
        values:
          to === 'house'
            ? [rows[0]?.id, rows[1 + (from % (PLAYERS - 1))]?.id]
            : [rows[from]?.id, (to === 'hot' ? hot : rows[to])?.id],
      }),
  }
}
