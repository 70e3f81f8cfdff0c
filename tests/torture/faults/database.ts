import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '#server/platform/db/owner.ts'
import { pause, repeat, type FaultRun, type WorldFault } from './fault.ts'
import { whilePagesAreRead } from './pages.ts'
import { fetchAnswer } from '../../harness/client.ts'
import { emptyDisk, fillDisk, kill, mayMount } from '../../harness/faults.ts'

const RECOVERY_MS_MAX = 10_000
const FROZEN_MS_MAX = 6_000

/** T14: too few connections, locks held, statements that last too long, backends ended or frozen, a full disk. */
export const exhaustedDatabase: WorldFault = {
  name: 'pool exhausted, lock and statement time-outs, pg_terminate_backend 5/s, frozen backends, full disk',
  // As many as the fewest a process takes.
  needs: { pool: 3, disk: mayMount() },
  prepares: true,
  async inject(run) {
    const troubles = [terminate, holdLocks, closeTable, freezeBackends, ...(mayMount() ? [fillUp] : [])]
    // The disk first, so that no run is too short for it.
    let turn = troubles.length - 1
    await whilePagesAreRead(run, () =>
      repeat(run, { leastMs: 500, mostMs: 1_500 }, async () => {
        await (troubles[turn++ % troubles.length] as (run: FaultRun) => Promise<void>)(run)
        await recovered(run)
      }),
    )
  },
}

/** Everything has to work again by itself, and soon. */
async function recovered({ world, wrong }: FaultRun): Promise<void> {
  const began = performance.now()
  const isOver = (ms: number) => performance.now() - began > ms
  for (const { url } of world.webs) {
    while (!(await isReady(url)) && !isOver(3 * RECOVERY_MS_MAX)) await sleep(100)
  }
  if (isOver(RECOVERY_MS_MAX)) wrong(`not ready ${Math.round(performance.now() - began)} ms after a fault`)
}

const isReady = (url: string): Promise<boolean> =>
  fetchAnswer(url, { path: '/readyz' }, 5_000).then(
    ({ status }) => status === 200,
    () => false,
  )

const OF_THE_PORTAL = `datname = current_database() AND application_name LIKE 'cong-ninja%' AND pid <> pg_backend_pid()`

function terminate(run: FaultRun): Promise<void> {
  return asOwner(run.world.postgres.url(), async (client) => {
    for (let left = 20; left > 0 && !run.signal.aborted; left--) {
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OF_THE_PORTAL} ORDER BY random() LIMIT 1`,
      )
      run.count('backend terminated', rowCount ?? 0)
      await pause(run.signal, 200)
    }
  })
}

/** Holds what the statement locks, for 2.5 s and up to so much longer. */
function holdLock(run: FaultRun, lock: string, msMore: number, name: string): Promise<void> {
  return asOwner(run.world.postgres.url(), async (client) => {
    await client.query('BEGIN')
    await client.query(lock)
    await pause(run.signal, 2_500 + run.random.below(msMore))
    await client.query('ROLLBACK')
    run.count(name)
  })
}

/** The rows of all accounts, for longer than anybody waits for a lock. */
const holdLocks = (run: FaultRun) =>
  holdLock(run, 'SELECT FROM ledger_account ORDER BY id FOR UPDATE', 2_500, 'all accounts locked')

/** A table that every call reads; with the few connections of the pool, nothing else is served meanwhile either. */
const closeTable = (run: FaultRun) =>
  holdLock(run, 'LOCK TABLE sessions, settings IN ACCESS EXCLUSIVE MODE', 3_500, 'pool exhausted')

/** Frozen, a backend does not see its own time-outs. */
function freezeBackends(run: FaultRun): Promise<void> {
  return asOwner(run.world.postgres.url(), async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE ${OF_THE_PORTAL} AND backend_type = 'client backend'`,
    )
    const pids = rows.map(({ pid }) => pid).filter(() => run.random.below(2) === 0)
    for (const pid of pids) kill(pid, 'SIGSTOP')
    await pause(run.signal, 1_000 + run.random.below(FROZEN_MS_MAX - 1_000))
    for (const pid of pids) kill(pid, 'SIGCONT')
    run.count('backends frozen', pids.length)
  })
}

/** PostgreSQL may end of it, when its log of changes finds no room either. */
async function fillUp(run: FaultRun): Promise<void> {
  const { postgres } = run.world
  await fillDisk(postgres.dataDir)
  await pause(run.signal, 2_000 + run.random.below(2_000))
  await emptyDisk(postgres.dataDir)
  run.count('disk full')
  await postgres.keepRunning()
}
