import { setTimeout as sleep } from 'node:timers/promises'
import { asRole } from '#tests/support/pgbouncer.ts'
import type { Downtime, Phase } from '../../harness/verification.ts'
import type { Slot } from '../../harness/fleet.ts'
import { seeded, type Random } from '../../harness/numbers.ts'
import type { Cluster, ClusterOptions } from './cluster.ts'

type Step = {
  name: string
  slot?: Slot
  /** What is away while it runs. */
  what?: Downtime['what']
  run(): Promise<unknown>
  /** Brings back what nobody waits for. */
  after?(): Promise<unknown>
}

/** Each part killed and restarted once; PostgreSQL restarted twice and, with a standby, failed over once. */
function stepsFor(cluster: Cluster): Step[] {
  const { webs, workers, balancer, pgbouncer, game, servers } = cluster
  const { nginx } = balancer
  const restartPgbouncer = async (signal: NodeJS.Signals) => {
    await pgbouncer.end(signal)
    await pgbouncer.start()
  }
  const restartPostgres = async (how: 'stop' | 'kill') => {
    const { primary } = servers
    await primary[how]()
    await primary.start()
  }
  return [
    ...webs.flatMap(stepsOf),
    ...workers.flatMap(stepsOf),
    { name: 'nginx reloaded', what: 'connections', run: async () => nginx.reload() },
    { name: 'nginx kill -9', what: 'balancer', run: () => nginx.kill().then(() => nginx.start()) },
    { name: 'PgBouncer restarted', what: 'database', run: () => restartPgbouncer('SIGINT') },
    { name: 'PgBouncer kill -9', what: 'database', run: () => restartPgbouncer('SIGKILL') },
    { name: 'game restarted', run: () => game.restart('SIGTERM') },
    { name: 'game kill -9', run: () => game.restart('SIGKILL') },
    { name: 'PostgreSQL restarted', what: 'database', run: () => restartPostgres('stop') },
    { name: 'PostgreSQL kill -9', what: 'database', run: () => restartPostgres('kill') },
    ...(servers.standby === null ? [] : [failOver(cluster)]),
  ]
}

function stepsOf(slot: Slot, index: number): Step[] {
  const name = `${slot.kind} ${index + 1}`
  const after = () => startSlot(slot)
  const killed = { name: `${name} kill -9`, slot, run: () => slot.kill(), after }
  return [
    { name: `${name} restarted`, slot, run: () => slot.stop(), after },
    slot.kind === 'web' ? { ...killed, what: 'process' } : killed,
  ]
}

const STARTS_MAX = 5

/** A start that fails, because the machine is too busy for its time-outs, is tried again as systemd does. */
export async function startSlot(slot: Slot): Promise<void> {
  for (let left = STARTS_MAX; ; await sleep(1_000)) {
    try {
      return await slot.start()
    } catch (error) {
      if (--left === 0) throw error
    }
  }
}

/** docs/runbooks/upgrade.md: two web processes that are restarted in less may both be away for nginx. */
const NGINX_FORGIVES_MS = 10_000

/** The order depends on the seed alone. */
function shuffled(steps: readonly Step[], random: Random): Step[] {
  const left = [...steps]
  return steps.map(() => left.splice(random.below(left.length), 1)[0] as Step)
}

/** Of nginx before 1.27, which closes idle connections at once, also those on which a request is arriving. */
const OLD_CONNECTIONS_MS = 1_000

/** One step after the other, spread over the time; the next one when the one before is over. */
export async function runSteps(cluster: Cluster, { seed, ms, only, say }: ClusterOptions): Promise<Phase[]> {
  const random = seeded(seed + 7)
  const all = stepsFor(cluster).filter(({ name }) => only === undefined || only.includes(name))
  const steps = shuffled(all, random)
  const began = Date.now()
  const phases: Phase[] = []
  let webBackAt = 0
  for (const [index, { name, slot, what, run, after }] of steps.entries()) {
    const due = began + ((index + 0.2 + 0.6 * (random.below(1_000) / 1_000)) * ms) / steps.length
    const isWeb = slot?.kind === 'web'
    await sleep(Math.max(0, due - Date.now(), isWeb ? webBackAt + NGINX_FORGIVES_MS - Date.now() : 0))
    say(name)
    const startedAt = Date.now()
    await run()
    if (what === 'database') await untilWritten(cluster)
    const to = what === 'connections' ? startedAt + OLD_CONNECTIONS_MS : Date.now()
    await after?.()
    const backAt = slot === undefined ? to : Date.now()
    const via = what === 'process' && slot ? slot.port : null
    phases.push({ name, startedAt, backAt, away: what ? { what, via, from: startedAt, to } : null })
    if (isWeb) webBackAt = backAt
  }
  await sleep(Math.max(0, began + ms - Date.now()))
  return phases
}

/**
 * docs/runbooks/failover.md: the machine of the primary is gone at once, and never comes back as it was; the standby takes
 * its slot, both addresses are led to it, and a new standby is made of nothing.
 */
function failOver({ servers, direct, pgbouncer }: Cluster): Step {
  return {
    name: 'PostgreSQL failed over',
    what: 'database',
    async run() {
      const { primary: lost, standby: next } = servers
      if (next === null) throw new Error('there is no standby')
      await lost.kill()
      await next.promote()
      direct.retarget(next.port)
      direct.cut()
      await pgbouncer.repoint(next.port)
      Object.assign(servers, { primary: next, standby: lost })
    },
    after: async () => servers.standby?.follow(servers.primary),
  }
}

const DATABASE_MS_MAX = 120_000

/** Until the portal's own way to the database confirms a commit. */
async function untilWritten({ pooledUrl }: Cluster): Promise<void> {
  for (const from = Date.now(); Date.now() < from + DATABASE_MS_MAX; await sleep(50)) {
    const isWritten = await asRole(
      pooledUrl,
      `SELECT pg_logical_emit_message(true, 'drill', 'written')`,
    ).then(
      () => true,
      () => false,
    )
    if (isWritten) return
  }
  throw new Error(`the database takes no writes ${DATABASE_MS_MAX} ms after its fault`)
}
