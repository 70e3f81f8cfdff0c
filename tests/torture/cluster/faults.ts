import { setTimeout as sleep } from 'node:timers/promises'
import { asRole } from '#tests/support/pgbouncer.ts'
import type { Downtime, Phase } from '../../harness/verification.ts'
import type { Slot } from '../../harness/fleet.ts'
import type { Random } from '../../harness/numbers.ts'
import type { Cluster } from './cluster.ts'

type Step = { name: string; slot?: Slot; run(cluster: Cluster): Promise<Downtime | null> }

/** Each part killed and restarted once; PostgreSQL restarted twice and, with a standby, failed over once. */
function stepsFor({ webs, workers, servers }: Cluster): Step[] {
  return [
    ...webs.flatMap(stepsOf),
    ...workers.flatMap(stepsOf),
    { name: 'nginx reloaded', run: reloadNginx },
    { name: 'nginx kill -9', run: killNginx },
    { name: 'PgBouncer restarted', run: (cluster) => restartPgbouncer(cluster, 'SIGINT') },
    { name: 'PgBouncer kill -9', run: (cluster) => restartPgbouncer(cluster, 'SIGKILL') },
    { name: 'game restarted', run: (cluster) => restartGame(cluster, 'SIGTERM') },
    { name: 'game kill -9', run: (cluster) => restartGame(cluster, 'SIGKILL') },
    { name: 'PostgreSQL restarted', run: (cluster) => restartPostgres(cluster, 'stop') },
    { name: 'PostgreSQL kill -9', run: (cluster) => restartPostgres(cluster, 'kill') },
    ...(servers.standby === null ? [] : [{ name: 'PostgreSQL failed over', run: failOver }]),
  ]
}

function stepsOf(slot: Slot, index: number): Step[] {
  const name = `${slot.kind} ${index + 1}`
  return [
    {
      name: `${name} restarted`,
      slot,
      async run(cluster) {
        await slot.stop()
        await cluster.startSlot(slot)
        return null
      },
    },
    {
      name: `${name} kill -9`,
      slot,
      async run(cluster) {
        const { port, from, to } = await slot.kill()
        await cluster.startSlot(slot)
        return slot.kind === 'web' ? { what: 'process', via: port, from, to } : null
      },
    },
  ]
}

/** docs/runbooks/upgrade.md: two web processes that are restarted in less may both be away for nginx. */
const NGINX_FORGIVES_MS = 10_000

/** The order depends on the seed alone. */
function shuffled(steps: readonly Step[], random: Random): Step[] {
  const left = [...steps]
  return steps.map(() => left.splice(random.below(left.length), 1)[0] as Step)
}

export type Schedule = {
  random: Random
  /** All faults are spread over so much time. */
  ms: number
  /** Those to choose among; all when left out. */
  only?: readonly string[]
  say(line: string): void
}

/** One step after the other; the next one when the one before is over. */
export async function runSteps(cluster: Cluster, { random, ms, only, say }: Schedule): Promise<Phase[]> {
  const all = stepsFor(cluster).filter(({ name }) => only === undefined || only.includes(name))
  const steps = shuffled(all, random)
  const began = Date.now()
  const phases: Phase[] = []
  let webBackAt = 0
  for (const [index, { name, slot, run }] of steps.entries()) {
    const due = began + ((index + 0.2 + 0.6 * (random.below(1_000) / 1_000)) * ms) / steps.length
    const isWeb = slot?.kind === 'web'
    await sleep(Math.max(0, due - Date.now(), isWeb ? webBackAt + NGINX_FORGIVES_MS - Date.now() : 0))
    say(name)
    const startedAt = Date.now()
    const away = await run(cluster)
    const backAt = slot !== undefined || away === null ? Date.now() : away.to
    phases.push({ name, startedAt, backAt, away })
    if (isWeb) webBackAt = backAt
  }
  await sleep(Math.max(0, began + ms - Date.now()))
  return phases
}

/** Of nginx before 1.27, which closes idle connections at once, also those on which a request is arriving. */
const OLD_CONNECTIONS_MS = 1_000

async function reloadNginx({ balancer }: Cluster): Promise<Downtime> {
  const from = Date.now()
  balancer.nginx.reload()
  return { what: 'connections', via: null, from, to: from + OLD_CONNECTIONS_MS }
}

async function killNginx({ balancer }: Cluster): Promise<Downtime> {
  const from = Date.now()
  await balancer.nginx.kill()
  await balancer.nginx.start()
  return { what: 'balancer', via: null, from, to: Date.now() }
}

async function restartPgbouncer(cluster: Cluster, signal: 'SIGINT' | 'SIGKILL'): Promise<Downtime> {
  const from = Date.now()
  await cluster.pgbouncer.end(signal)
  await cluster.pgbouncer.start()
  return databaseAway(cluster, from)
}

async function restartGame({ game }: Cluster, signal: 'SIGTERM' | 'SIGKILL'): Promise<null> {
  await game.restart(signal)
  return null
}

async function restartPostgres(cluster: Cluster, how: 'stop' | 'kill'): Promise<Downtime> {
  const from = Date.now()
  const { primary } = cluster.servers
  await primary[how]()
  await primary.start()
  return databaseAway(cluster, from)
}

/**
 * docs/runbooks/failover.md: the machine of the primary is gone at once, and never comes back as it was; the standby takes
 * its slot, both addresses are led to it, and a new standby is made of nothing.
 */
async function failOver(cluster: Cluster): Promise<Downtime> {
  const { servers, direct, pgbouncer } = cluster
  const { primary: lost, standby: next } = servers
  if (next === null) throw new Error('there is no standby')
  const from = Date.now()
  await lost.kill()
  await next.promote()
  direct.retarget(next.port)
  direct.cut()
  await pgbouncer.repoint(next.port)
  servers.primary = next
  servers.standby = null
  const away = await databaseAway(cluster, from)
  await lost.follow(next)
  servers.standby = lost
  return away
}

const DATABASE_MS_MAX = 120_000

/** Until the portal's own way to the database confirms a commit. */
async function databaseAway({ pooledUrl }: Cluster, from: number): Promise<Downtime> {
  while (Date.now() < from + DATABASE_MS_MAX) {
    const writing = asRole(pooledUrl, `SELECT pg_logical_emit_message(true, 'drill', 'written')`)
    const isWritten = await writing.then(
      () => true,
      () => false,
    )
    if (isWritten) return { what: 'database', via: null, from, to: Date.now() }
    await sleep(50)
  }
  throw new Error(`the database takes no writes ${DATABASE_MS_MAX} ms after its fault`)
}
