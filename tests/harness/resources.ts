import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '#tests/support/processes.ts'
import type { Load } from '../bench/steady-load.ts'

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

/** All processes of a portal, and all of its embedded PostgreSQL. */
export async function processesOf(portal: {
  pid: number
  dataDir: string
}): Promise<{ portal: number[]; postgres: number[] }> {
  const postmaster = await postmasterOf(join(portal.dataDir, 'postgres'))
  const children = (await childrenOf(portal.pid)).filter((pid) => pid !== postmaster)
  return {
    portal: [portal.pid, ...children],
    postgres: [postmaster, ...(await childrenOf(postmaster))],
  }
}

/** What was spent so far, by name: milliseconds of processor time, statements. */
export type Spent = Record<string, number>

const IDLE_SECONDS = 6

/** What is spent in a second without requests. */
export async function idleOf<Cost extends Spent>(spent: () => Promise<Cost>): Promise<Cost> {
  const before = await spent()
  await sleep(IDLE_SECONDS * 1_000)
  const after = await spent()
  return mapped(after, (name) => ((after[name] ?? 0) - (before[name] ?? 0)) / IDLE_SECONDS)
}

/** What each answer of a load cost, without what is spent without requests. */
export async function costOf<Cost extends Spent>(
  spent: () => Promise<Cost>,
  idle: Cost | null,
  load: () => Promise<Load>,
): Promise<{ cost: Cost; load: Load }> {
  const start = performance.now()
  const before = await spent()
  const done = await load()
  const after = await spent()
  const seconds = (performance.now() - start) / 1_000
  const each = (name: string) =>
    ((after[name] ?? 0) - (before[name] ?? 0) - (idle?.[name] ?? 0) * seconds) / done.answered
  return { cost: mapped(after, (name) => Math.max(0, each(name))), load: done }
}

const mapped = <Cost extends Spent>(of: Cost, read: (name: string) => number) =>
  Object.fromEntries(Object.keys(of).map((name) => [name, read(name)])) as Cost
