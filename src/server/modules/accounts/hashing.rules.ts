/** libuv's default number of threads. */
const THREADS_BY_DEFAULT = 4
/** Left to files and compression, which share the threads with the hashes. */
const THREADS_FOR_OTHERS = 2

/** How many passwords may be hashed at once: one core and two threads are left to everything else. */
export function hashesAtOnce(cores: number, threads = THREADS_BY_DEFAULT): number {
  return Math.max(1, Math.min(cores - 1, threads - THREADS_FOR_OTHERS))
}
