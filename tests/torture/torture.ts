import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { childrenOf, startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/network.ts'
import { kill, killPostgres } from '../harness/faults.ts'
import { DEMO_ENVIRONMENT, newFolder } from '../harness/fleet.ts'
import { isCleanVerdict, judge, offending, settle, withJudge } from '../harness/judge.ts'
import { act, enterAll, type Seen } from '../harness/players.ts'
import { seeded, type Random } from '../harness/random.ts'
import { RepeatingClient } from '../harness/repeating-client.ts'
import { missingKeys } from './chain-keys.ts'

export type TortureOptions = {
  seed: number
  seconds: number
  kills: number
  players: number
  /** PROCESSES of the portal. */
  processes: number
}

const WRONG_SHOWN_MAX = 20

type Run = { portal: PortalProcess; dataDir: string; port: number; processes: number }

/**
 * Clients work without pause while the portal and its PostgreSQL are killed (kill -9) again and again; then the faults
 * end, everything has to settle, and what the clients saw is compared with the ledger and the game.
 */
export async function torture(options: TortureOptions) {
  await using ends = new AsyncDisposableStack()
  const dataDir = await newFolder(ends, 'torture')
  const place = { dataDir, port: await freePort(), processes: options.processes }
  const run: Run = { ...place, portal: await start(place) }
  ends.defer(async () => void (await run.portal.end()))
  const client = new RepeatingClient(run.portal.url, seeded(options.seed + 11))
  const seen: Seen[] = []
  const context = { client, seen }
  const names = Array.from({ length: options.players }, (_, player) => `thuthach${options.seed}x${player}`)
  const actors = await enterAll(context, names, seeded(options.seed))
  await underFaults(run, options, async (isOver) => {
    await Promise.all(
      actors.map(async (actor, index) => {
        const own = seeded(options.seed * 1_000 + index)
        while (!isOver()) await act(context, actors, actor, own)
      }),
    )
  }).catch((error: Error) => {
    // What was acknowledged until then is compared all the same.
    client.wrongAnswers.push(`the run broke off: ${error.message}`)
  })
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
  ends.defer(() => postgres.stop())
  return await withJudge(postgres.url, async (db) => {
    const settleSeconds = await settle(db)
    const verdict = await judge(db, seen, 'embedded')
    Object.assign(verdict.books, { storedTwice: await countStoredTwice(db) })
    const missing = await missingKeys(postgres.url)
    const { repeats, answersCompared, wrongAnswers } = client
    const isRight = isCleanVerdict(verdict) && wrongAnswers.length + missing.length === 0
    return {
      seed: options.seed,
      kills: options.kills,
      ...verdict,
      books: offending(verdict.books),
      reconcile: offending(verdict.reconcile),
      repeats,
      // Acknowledged acts that were sent again with their keys.
      answersCompared,
      wrongAnswers: wrongAnswers.slice(0, WRONG_SHOWN_MAX),
      // Keys of the database that let a row of the run in twice.
      missingKeys: missing,
      refusals: seen.filter((entry) => entry.act === 'refusal').length,
      settleSeconds,
      // A run in which nothing was repeated says nothing about repeats.
      isClean: isRight && answersCompared > 0,
    }
  })
}

const start = ({ dataDir, port, processes }: Omit<Run, 'portal'>) =>
  startPortalProcess({
    dataDir,
    port,
    environment: { ...DEMO_ENVIRONMENT, PROCESSES: String(processes) },
  })

async function underFaults(
  run: Run,
  { seed, seconds, kills }: TortureOptions,
  work: (isOver: () => boolean) => Promise<void>,
): Promise<void> {
  const random = seeded(seed + 7)
  let isOver = false
  const working = work(() => isOver)
  // A failed client ends the run at once, not after its last kill.
  working.catch(() => {})
  const meanMs = (seconds * 1_000) / kills
  for (let count = 0; count < kills; count++) {
    await Promise.race([sleep(meanMs / 2 + random.below(meanMs)), working])
    await killSome(run, random)
  }
  await Promise.race([sleep(1_000), working])
  isOver = true
  await working
}

async function killSome(run: Run, random: Random): Promise<void> {
  // Of several processes one alone dies as often as all of them; the others have to go on.
  if (run.processes > 1 && random.below(2) === 0) return kill(random.pick(await childrenOf(run.portal.pid)))
  const isPostgresFirst = random.below(2) === 0
  if (isPostgresFirst) await killPostgres(run.dataDir)
  await run.portal.end('SIGKILL')
  if (!isPostgresFirst && random.below(3) > 0) await killPostgres(run.dataDir)
  run.portal = await start(run)
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
