import { sql } from 'kysely'
import { startLoop, type Loop } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { count, setGauge } from '../metrics/metrics.ts'
import { withTimeout } from '../values/clock.ts'
import { operationalRefusal } from './operational-failures.ts'
import { openDatabase, type Db } from './database.ts'
import type { DatabaseListener } from './notices.ts'

/** Where the primary's log was at some moment. */
export type Sample = { at: number; position: string }

/** A position of the log as PostgreSQL writes it, `16/B374D848`. */
function bytesOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** The latest sample that a replica has replayed; null while it is behind all of them. */
export function latestPassed(samples: readonly Sample[], replayed: string): Sample | null {
  const there = bytesOf(replayed)
  return samples.findLast(({ position }) => bytesOf(position) <= there) ?? null
}

/** A replica further behind is not read from. */
const LAG_MS_MAX = 5_000
const LOOK_EVERY_MS = 1_000
/** Within this a replica answers, or counts as away. */
const LOOK_MS_MAX = 1_500

/** Milliseconds of this process's own clock. */
type Replica = {
  db: Db
  /** The latest moment of which everything that was committed then is known to be there. */
  passedAt: number
  /** When what is public was changed last, as far as this process was notified. */
  changedAt: number
}

const replicas = new WeakMap<Db, Replica>()

const isUsable = ({ passedAt, changedAt }: Replica): boolean =>
  passedAt > changedAt && performance.now() - passedAt <= LAG_MS_MAX

/**
 * Reads what anybody may see, from the replica where there is one that is near enough, else from the primary. Never for
 * money, sessions, operators, or what the caller has just written (tests/repo/public-reads.test.ts lists all uses).
 */
export async function readPublic<Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> {
  const replica = replicas.get(db)
  if (replica === undefined) return read(db)
  if (isUsable(replica)) {
    try {
      const result = await read(replica.db)
      count('portal_public_reads_total', { from: 'replica' })
      return result
    } catch (error) {
      if (operationalRefusal(error) === null) throw error
      replica.passedAt = 0
    }
  }
  count('portal_public_reads_total', { from: 'primary' })
  return read(db)
}

type Opening = {
  url: string
  primary: Db
  listener: DatabaseListener
  /** The channel on which changes of public data are announced. */
  changes: string
  log: Log
  connectionsMax: number
}

/** Lets `readPublic` of the primary use the replica at `url`, whose distance is measured all the time. */
export function openReplica({ url, primary, listener, changes, log, connectionsMax }: Opening): {
  close(): Promise<void>
} {
  const db = openDatabase({ url, log, connectionsMax })
  const replica: Replica = { db, passedAt: 0, changedAt: 0 }
  replicas.set(primary, replica)
  const changed = () => {
    replica.changedAt = performance.now()
  }
  const stopListening = listener.on(changes, changed)
  // A change may have been missed while the connection was away.
  listener.onReconnect(changed)
  const loop = watch(replica, primary, log)
  return {
    async close() {
      stopListening()
      replicas.delete(primary)
      await loop.stop()
      await db.destroy()
    },
  }
}

/** Notes where the primary is, and of which of these notes the replica is past. No clock of either is used. */
function watch(replica: Replica, primary: Db, log: Log): Loop {
  let samples: Sample[] = []
  let wasUsable: boolean | null = null
  return startLoop({
    name: 'replica',
    pauseMs: LOOK_EVERY_MS,
    log,
    async round() {
      try {
        const at = performance.now()
        const { position, cluster } = await withTimeout(LOOK_MS_MAX, positionOf(primary))
        samples.push({ at, position })
        const replayed = await withTimeout(LOOK_MS_MAX, replayedBy(replica.db, cluster))
        const passed = replayed === null ? null : latestPassed(samples, replayed)
        if (passed !== null) {
          replica.passedAt = passed.at
          samples = samples.filter((sample) => sample.at >= passed.at)
        }
      } catch {
        // Whichever did not answer, the distance is unknown and grows.
      }
      // A minute of notes is far more than a replica may be behind.
      samples = samples.slice(-60)
      const lagMs = performance.now() - replica.passedAt
      setGauge('portal_replica_lag_seconds', {}, Math.round(lagMs / 100) / 10)
      const isNow = lagMs <= LAG_MS_MAX
      if (isNow === wasUsable) return
      wasUsable = isNow
      if (isNow) log.info('public data is read from the replica')
      else log.warn('the replica is away or too far behind: public data is read from the primary')
    },
  })
}

async function positionOf(primary: Db): Promise<{ position: string; cluster: string }> {
  const { rows } = await sql<{ position: string; cluster: string }>`
    SELECT pg_current_wal_lsn()::text AS position, system_identifier::text AS cluster FROM pg_control_system()`.execute(
    primary,
  )
  return rows[0] as { position: string; cluster: string }
}

/**
 * Null from a server that follows nobody: it may have been promoted, or never been a replica; and from one that follows
 * another server, whose positions say nothing of ours.
 */
async function replayedBy(replica: Db, cluster: string): Promise<string | null> {
  const { rows } = await sql<{ lsn: string | null }>`
    SELECT CASE WHEN pg_is_in_recovery() AND system_identifier::text = ${cluster}
                THEN pg_last_wal_replay_lsn()::text END AS lsn FROM pg_control_system()`.execute(replica)
  return rows[0]?.lsn ?? null
}
