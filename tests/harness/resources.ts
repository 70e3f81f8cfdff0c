import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf } from '#tests/support/processes.ts'
import { sum } from './numbers.ts'

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
  return (sum(ticks) * 1_000) / TICKS_PER_SECOND
}

/** The same of a process and its children, with those that have ended and were waited for. */
export async function treeCpuMs(pid: number): Promise<number> {
  const stat = await statOf(pid)
  const ended = ((Number(stat[13] ?? 0) + Number(stat[14] ?? 0)) * 1_000) / TICKS_PER_SECOND
  return ended + (await cpuMs([pid, ...(await childrenOf(pid))]))
}

/** Resident memory in MB, as Linux reports it; 0 on other systems. */
export async function residentMb({ pid }: { pid: number }): Promise<number> {
  const stat = await statOf(pid)
  return Math.round((Number(stat[21] ?? 0) * PAGE_BYTES) / 2 ** 20)
}

/** The first process of the PostgreSQL in this folder. */
export async function postmasterOf(clusterDir: string): Promise<number> {
  return Number((await readFile(join(clusterDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** The processes of a portal, and those of its embedded PostgreSQL, of which one started the others. */
export async function processesOf(portal: { pid: number; dataDir: string }) {
  const postmaster = await postmasterOf(join(portal.dataDir, 'postgres'))
  const children = (await childrenOf(portal.pid)).filter((pid) => pid !== postmaster)
  const postgres = [postmaster, ...(await childrenOf(postmaster))]
  return { node: [portal.pid, ...children], postmaster, postgres }
}

/** The sum of those lines of the metrics of a process that match. */
export async function metricsAt(port: number): Promise<(line: RegExp) => number> {
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n')
  return (meant) =>
    sum(lines.filter((line) => meant.test(line)).map((line) => Number(line.split(' ').at(-1))))
}
