import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupProblem } from '../values/errors.ts'

const SQLITE_BUSY = 5
const POLL_MS = 25

/**
 * Runs `act` while no other process (nor another caller in this one) holds the same lock file.
 *
 * The lock is the operating system's, through SQLite's file locking, the only one that Node offers: the kernel releases it
 * when its holder ends, in any way. So there are no stale locks, and no race between two processes that remove one.
 */
export async function withLock<T>(file: string, waitMs: number, act: () => Promise<T>): Promise<T> {
  using lock = new DatabaseSync(file)
  // By path, not by opening: closing any other descriptor of this file would drop a lock held in this process.
  chmodSync(file, 0o600)
  await acquire(lock, file, waitMs)
  return await act()
}

async function acquire(lock: DatabaseSync, file: string, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      // Nothing is written, so no journal file is needed beside the lock. The pragma itself takes the lock.
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      return
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
      if (Date.now() > deadline) {
        throw new SetupProblem(
          `another process has been starting or stopping PostgreSQL for ${Math.round(waitMs / 1000)} s (lock ${file}): ` +
            'look at the processes of the portal, then start again',
          { cause: error },
        )
      }
    }
    await sleep(POLL_MS)
  }
}
