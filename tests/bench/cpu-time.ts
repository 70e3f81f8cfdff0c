import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf } from '#tests/support/child-processes.ts'

/** Of Linux: the unit of times in /proc. */
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4_096

async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** User and system time so far of these processes, in milliseconds; one that has ended counts nothing. */
export async function cpuMs(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map(statOf))
  const ticks = stats.map((stat) => Number(stat[11] ?? 0) + Number(stat[12] ?? 0))
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / TICKS_PER_SECOND
}

/** Resident memory of each, in MB. */
export async function memoryMb(pids: readonly number[]): Promise<number[]> {
  const stats = await Promise.all(pids.map(statOf))
  return stats.map((stat) => Math.round((Number(stat[21] ?? 0) * PAGE_BYTES) / 1e6))
}

/** All processes of a portal, and all of its embedded PostgreSQL. */
export async function processesOf(portal: {
  pid: number
  dataDir: string
}): Promise<{ portal: number[]; postgres: number[] }> {
  const pidFile = await readFile(join(portal.dataDir, 'postgres/postmaster.pid'), 'utf8')
  const postmaster = Number(pidFile.split('\n')[0])
  const children = (await childrenOf(portal.pid)).filter((pid) => pid !== postmaster)
  return {
    portal: [portal.pid, ...children],
    postgres: [postmaster, ...(await childrenOf(postmaster))],
  }
}
