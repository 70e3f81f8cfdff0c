import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '#tests/support/child-processes.ts'

async function parentOf(pid: number): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null // it ended meanwhile
  }
}

/** kill -9, of a process that may have ended already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** kill -9 of a process first and of its children then, so that it can neither tidy up nor start them again. */
export async function killTree(parent: number): Promise<void> {
  const children = await childrenOf(parent)
  kill(parent)
  for (const child of children) kill(child)
  while ((await parentOf(parent)) !== null) await sleep(10)
}

/** kill -9 of the PostgreSQL in this folder. */
export async function killPostmaster(clusterDir: string): Promise<void> {
  const pidFile = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')
  await killTree(Number(pidFile.split('\n')[0]))
}

/** kill -9 of the embedded PostgreSQL below `dataDir`. */
export const killPostgres = (dataDir: string): Promise<void> => killPostmaster(join(dataDir, 'postgres'))
