import { availableParallelism } from 'node:os'

export const PROCESSES_MAX = 64

/** Web processes: as many as given, or as cores. */
export const processesOf = (given: 'auto' | number, cores = availableParallelism()): number =>
  given === 'auto' ? Math.min(cores, PROCESSES_MAX) : given

/** The processes of one start: a process for each web process, and one for the worker when they are several. */
const runningOf = (processes: number) => (processes === 1 ? 1 : processes + 1)

/** Beside its pool each process needs one connection for notices, and at its start two more for the owner's work. */
const BESIDE_POOL = 3
const POOL_MAX = 20
const POOL_MIN = 4
/** The portal's share of the 100 that PostgreSQL allows by default; the rest is for backups and people. */
const CONNECTIONS_OF_ALL = 80

/** The pool of each process where none is given. */
export const poolOf = (processes: number): number =>
  Math.min(POOL_MAX, Math.max(POOL_MIN, Math.floor(CONNECTIONS_OF_ALL / runningOf(processes)) - BESIDE_POOL))

type Connected = { processes: number; databasePool: number; poolerUrl: string | null }

/**
 * What all processes of this start take at most of PostgreSQL itself, or as many as were found running, if they are more;
 * what goes through a pooler is the pooler's.
 */
export function connectionsOf(
  { processes, databasePool, poolerUrl }: Connected,
  found = 0,
): { running: number; each: number; sum: number } {
  const running = Math.max(runningOf(processes), found)
  const each = BESIDE_POOL + (poolerUrl === null ? databasePool : 0)
  return { running, each, sum: running * each }
}

type Watched = { processes: number; metrics: { port: number } | null }

/** The port of the worker (or the only process), then of each web process. */
export const metricsPortsOf = ({ metrics, processes }: Watched): number[] =>
  metrics === null ? [] : Array.from({ length: runningOf(processes) }, (_, number) => metrics.port + number)
