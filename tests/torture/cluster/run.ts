import { setTimeout as sleep } from 'node:timers/promises'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { emptyClientLog, gather, work, type ClientLog } from '../../upgrade/clients.ts'
import { isFailed, waitUntilSettled } from '../../upgrade/verdict.ts'
import { seeded } from '../random.ts'
import { missingPrograms, openCluster, SEPAY_SECRET, type Cluster, type Size } from './cluster.ts'
import { storm } from './faults.ts'
import { judgeCluster, type ClusterVerdict } from './verdict.ts'

export type ClusterOptions = {
  seed: number
  players: number
  size: Size
  /** How long the load goes on under faults. */
  ms: number
  /** The faults to choose among; all when left out. */
  only?: readonly string[]
  say(line: string): void
}

/** So long a player stays; then a new one registers, pays and activates. */
const STAY_MS = 90_000

/** A whole cluster under mixed load while each of its parts is killed or restarted in turn. */
export async function tortureCluster(options: ClusterOptions): Promise<ClusterVerdict> {
  const missing = missingPrograms()
  if (missing.length > 0) throw new Error(`Install what a cluster needs here: ${missing.join(', ')}.`)
  const cluster = await openCluster(options.size)
  try {
    return await run(cluster, options)
  } finally {
    await cluster.close()
  }
}

async function run(cluster: Cluster, { seed, players, ms, only, say }: ClusterOptions) {
  const log = emptyClientLog()
  const { door } = cluster
  const crowd = await gather(door, log, { seed, players, sepaySecret: SEPAY_SECRET })
  const over = new AbortController()
  const startedAt = Date.now()
  const working = work({ crowd, door, log, seed, signal: over.signal, stayMs: STAY_MS })
  const storming = storm(cluster, { random: seeded(seed + 7), ms, say, ...(only ? { only } : {}) })
  try {
    await Promise.race([storming, working])
  } finally {
    over.abort()
  }
  await working
  const faults = await storming
  say('faults are over')
  return withDatabase(cluster, async (db) => {
    const settleSeconds = await waitUntilSettled(db)
    const gameDir = cluster.game.dataDir
    const verdict = await judgeCluster({
      db,
      gameDir,
      log,
      faults,
      startedAt,
      settleSeconds,
      trace: door.trace,
    })
    for (const line of logOfFailures(cluster, log)) say(line)
    return verdict
  })
}

/** What the portal's own log says of those requests that it refused with an error. */
function logOfFailures({ webs }: Cluster, { attempts }: ClientLog): string[] {
  const ids = new Set<string | undefined>(attempts.filter(isFailed).map(({ requestId }) => requestId))
  const idOf = (line: string) => /"requestId":"([^"]+)"/.exec(line)?.[1]
  return webs.flatMap((place) =>
    place
      .output()
      .split('\n')
      .filter((line) => ids.has(idOf(line))),
  )
}

async function withDatabase<Result>(
  { servers }: Cluster,
  look: (db: Db) => Promise<Result>,
): Promise<Result> {
  const log = openLog('fatal')
  const url = await openAppRole(servers.primary.ownerUrl, log)
  const db = openDatabase({ url, log, connectionsMax: 2 })
  try {
    await sleep(500)
    return await look(db)
  } finally {
    await db.destroy()
  }
}

/** Tables for people; the report as JSON comes after them. */
export function printCluster({ faults, books, failures }: ClusterVerdict): void {
  console.table(faults)
  console.table(books)
  console.table(failures)
}
