import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { sqlState, type Tx } from '#server/platform/db/transaction.ts'
import { openLog } from '#server/platform/log/log.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { openAccount, type Posting } from '../../../src/server/modules/wallet/wallet.queries.ts'
import { reconcile, HOUSE, postTransfer } from '../../../src/server/modules/wallet/wallet.service.ts'

/** A ledger of one's own on real PostgreSQL: the portal's view of it, and its owner's for planting and removing things. */
export type Ledger = {
  /** As the portal connects. */
  app: Db
  /** Raw connections as the portal's role: what a break-in could send. */
  appPool: Pool
  /** The owner, who is a superuser here. */
  owner: Pool
  close(): Promise<void>
}

const CONNECTIONS_MAX = 16

export function openLedger(urls: { ownerUrl: string; appUrl: string }): Ledger {
  const app = openDatabase({ url: urls.appUrl, log: openLog('error'), connectionsMax: CONNECTIONS_MAX })
  const appPool = openPool(urls.appUrl)
  const owner = openPool(urls.ownerUrl)
  return {
    app,
    appPool,
    owner,
    async close() {
      await app.destroy()
      await appPool.end()
      await owner.end()
    },
  }
}

/** A ledger in a database of its own, for all tests of a file. */
export function useLedger(): Ledger {
  const ledger = {} as Ledger
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await freshDatabase()
    Object.assign(ledger, openLedger(database))
    drop = database.drop
  })
  afterAll(async () => {
    await ledger.close()
    await drop()
  })
  return ledger
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 4 })
  // A pool has ended when its goodbye is sent. The database is dropped with force right after, which may cut that short.
  pool.on('error', () => {})
  return pool
}

let lastUser = 0
let lastSource = 0

/** A cause no other posting of this process has. */
export const aSource = () => ({ type: 'test', id: String(++lastSource) })

/** A wallet of a player of its own that holds so many TCoin; answers its ledger account. */
export async function aWallet(ledger: Ledger, coins = 0): Promise<string> {
  const open = (tx: Tx) => openAccount(tx, 'user_wallet', String(++lastUser))
  const walletId = await ledger.app.transaction().execute(open)
  if (coins > 0) {
    await post(ledger, { kind: 'adjustment', debit: HOUSE.adjustment, credit: walletId, amount: coins })
  }
  return walletId
}

/** Posts in a transaction of its own that is tried once, so that a deadlock is reported and not repaired. */
export function post(ledger: Ledger, posting: Omit<Posting, 'source'> & { source?: Posting['source'] }) {
  return ledger.app
    .transaction()
    .execute((tx) => postTransfer(tx, { ...posting, source: posting.source ?? aSource() }))
}

/** Of one of the portal's accounts all its stripes. */
export async function balanceOf(ledger: Ledger, accountId: string): Promise<number> {
  const { rows } = await ledger.owner.query<{ balance: string }>(
    `SELECT sum(part.balance) AS balance FROM ledger_account named
       JOIN ledger_account part ON part.kind = named.kind AND part.user_id IS NOT DISTINCT FROM named.user_id
      WHERE named.id = $1`,
    [accountId],
  )
  return Number(rows[0]?.balance)
}

/** How a piece of work ended: `accepted`, or the code of its refusal or of PostgreSQL's error. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    // A Refusal's code is a name, PostgreSQL's five characters.
    const code = sqlState(error) ?? (error as { code?: unknown }).code
    if (typeof code !== 'string') throw error
    return code
  }
}

/** The text of ledger_post as a call of the portal sends it. */
export const POST_SQL = `SELECT transfer_id FROM ledger_post($1, $2, $3, $4, $5, $6, NULL, NULL, NULL, NULL)`

/** Waits until a connection of this database is held up by a lock. */
export async function someoneWaits(ledger: Ledger): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { rowCount } = await ledger.owner.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (rowCount) return
    await sleep(10)
  }
  throw new Error('nobody came to wait for a lock')
}

/** The reconciliations that found something. */
export async function brokenChecks(ledger: Ledger): Promise<string[]> {
  return (await reconcile(ledger.app)).filter((row) => row.count > 0).map((row) => row.check)
}

/** Fails unless every reconciliation finds nothing; for the end of a test. */
export async function mustReconcile(ledger: Ledger): Promise<void> {
  const broken = await brokenChecks(ledger)
  if (broken.length > 0) throw new Error(`the ledger no longer reconciles: ${broken.join(', ')}`)
}
