import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { childrenOf, type PortalProcess } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/network.ts'
import { kill, killPostgres } from '../harness/faults.ts'
import { newFolder, startDemoPortal, startPostgres } from '../harness/fleet.ts'
import { isVerified, settle, shown, verify, withDatabase } from '../harness/verification.ts'
import { enterAll, tradeUntil, type ConfirmedAct } from '../harness/players.ts'
import { type Random, seeded } from '../harness/numbers.ts'
import { RepeatingClient } from '../harness/client.ts'
import type { Client, DatabaseError } from 'pg'
import { copyOf, dropOtherKeys } from '../mutation/database/pieces.ts'

export type TortureOptions = {
  seed: number
  seconds: number
  kills: number
  players: number
  /** PROCESSES of the portal. */
  processes: number
}

const WRONG_SHOWN_MAX = 20

/** `start` starts the portal again, at the same port. */
type Run = { start(): Promise<PortalProcess>; portal: PortalProcess; dataDir: string }

/**
 * Clients work without pause while the portal and its PostgreSQL are killed (kill -9) again and again; then the faults
 * end, everything has to settle, and what the clients saw is compared with the ledger and the game.
 */
export async function torture(options: TortureOptions) {
  await using cleanup = new AsyncDisposableStack()
  const dataDir = await newFolder(cleanup, 'torture')
  const environment = { PROCESSES: String(options.processes) }
  const place = { dataDir, port: await freePort(), environment }
  const start = () => startDemoPortal(cleanup, place)
  const run: Run = { start, portal: await start(), dataDir }
  const client = new RepeatingClient(run.portal.url, seeded(options.seed + 11))
  const confirmed: ConfirmedAct[] = []
  const context = { client, confirmed }
  const crowd = { name: `thuthach${options.seed}x`, count: options.players }
  const actors = await enterAll(context, crowd, seeded(options.seed))
  const work = (signal: AbortSignal) => tradeUntil(signal, { context, actors, seed: options.seed })
  await underFaults(run, options, work).catch((error: Error) => {
    // What was acknowledged until then is compared all the same.
    client.wrongAnswers.push(`the run broke off: ${error.message}`)
  })
  const url = await startPostgres(cleanup, dataDir)
  return await withDatabase(url, async (db) => {
    const settleSeconds = await settle(db)
    const verification = await verify(db, confirmed, 'embedded')
    Object.assign(verification.books, { storedTwice: await countStoredTwice(db) })
    const missing = await asOwner(url, missingKeys)
    const { repeats, answersCompared } = client
    const wrong = [...client.wrongAnswers.slice(0, WRONG_SHOWN_MAX), ...missing]
    return {
      seed: options.seed,
      kills: options.kills,
      ...shown(verification),
      repeats,
      // Acknowledged acts that were sent again with their keys.
      answersCompared,
      wrong,
      refusals: confirmed.filter((entry) => entry.act === 'refusal').length,
      settleSeconds,
      // A run without repeats proves nothing about them.
      isClean: isVerified(verification) && wrong.length === 0 && answersCompared > 0,
    }
  })
}

async function underFaults(
  run: Run,
  { seed, seconds, kills, processes }: TortureOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const random = seeded(seed + 7)
  const over = new AbortController()
  const working = work(over.signal)
  // A failed client ends the run at once, not after its last kill.
  working.catch(() => {})
  const meanMs = (seconds * 1_000) / kills
  for (let count = 0; count < kills; count++) {
    await Promise.race([sleep(meanMs / 2 + random.below(meanMs)), working])
    await killSome(run, random, processes)
  }
  await Promise.race([sleep(1_000), working])
  over.abort()
  await working
}

async function killSome(run: Run, random: Random, processes: number): Promise<void> {
  // Of several processes one alone dies as often as all of them; the others have to go on.
  if (processes > 1 && random.below(2) === 0) return kill(random.pick(await childrenOf(run.portal.pid)))
  const isPostgresFirst = random.below(2) === 0
  if (isPostgresFirst) await killPostgres(run.dataDir)
  await run.portal.end('SIGKILL')
  if (!isPostgresFirst && random.below(3) > 0) await killPostgres(run.dataDir)
  run.portal = await run.start()
}

/** The bank gives each transfer a reference, and sends its notification twice. */
async function countStoredTwice(db: Db): Promise<number> {
  const twice = await db
    .selectFrom('payment_event')
    .select('bank_ref')
    .groupBy(['provider', 'bank_ref'])
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute()
  return twice.length
}

/** The second line behind claims and locks: what happened once is one row, whatever the program does. */
const KEYS: readonly (readonly [table: string, key: string])[] = [
  ['idempotency_key', 'idempotency_key_pkey'],
  ['ledger_transfer', 'ledger_transfer_one_per_source'],
  ['ledger_entry', 'ledger_entry_one_side'],
  ['ledger_entry', 'ledger_entry_pkey'],
  ['payment_event', 'payment_event_once'],
]

/**
 * Writes a row of the run once more, each time with one key alone to refuse it, and undoes that. Names the keys that did
 * not refuse: while the guards before them hold, nothing else in a run would show that they are missing.
 */
async function missingKeys(owner: Client): Promise<string[]> {
  const missing: string[] = []
  for (const [table, key] of KEYS) if (!(await refuses(owner, table, key))) missing.push(`${key} is missing`)
  return missing
}

async function refuses(owner: Client, table: string, key: string): Promise<boolean> {
  await owner.query('BEGIN')
  try {
    await owner.query(dropOtherKeys(table, key))
    const { rows } = await owner.query<{ row: string }>(`SELECT ctid::text AS row FROM ${table} LIMIT 1`)
    await owner.query(copyOf(table, `ctid = '${rows[0]?.row}'`))
    return false
  } catch (error) {
    return (error as DatabaseError).constraint === key
  } finally {
    await owner.query('ROLLBACK')
  }
}
