import { setTimeout as sleep } from 'node:timers/promises'
import { judgeLoad, type LoadVerdict } from '../../harness/attempts.ts'
import { openRunDatabase } from '../../harness/fleet.ts'
import { settle } from '../../harness/judge.ts'
import { isFailed, underLoad, type ClientLog } from '../../harness/load.ts'
import { seeded } from '../../harness/random.ts'
import { missingPrograms, openCluster, type Cluster, type Size } from './cluster.ts'
import { runSteps } from './faults.ts'

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
export async function tortureCluster(options: ClusterOptions): Promise<LoadVerdict> {
  const missing = missingPrograms()
  if (missing.length > 0) throw new Error(`Install what a cluster needs here: ${missing.join(', ')}.`)
  await using ends = new AsyncDisposableStack()
  return await run(await openCluster(options.size, ends), options)
}

async function run(cluster: Cluster, { seed, players, ms, only, say }: ClusterOptions) {
  const { balancer } = cluster
  const { log, result: phases } = await underLoad({ balancer, seed, players, stayMs: STAY_MS }, () =>
    runSteps(cluster, { random: seeded(seed + 7), ms, say, ...(only ? { only } : {}) }),
  )
  say('faults are over')
  await using ends = new AsyncDisposableStack()
  const db = await openRunDatabase(ends, cluster.servers.primary.ownerUrl)
  await sleep(500)
  const settleSeconds = await settle(db)
  const gameDir = cluster.game.dataDir
  const { trace } = balancer
  const verdict = await judgeLoad({ db, gameDir, log, phases, settleSeconds, isStrict: false, trace })
  for (const line of logOfFailures(cluster, log)) say(line)
  return verdict
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
