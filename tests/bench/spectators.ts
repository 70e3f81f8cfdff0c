import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, quantile } from '../harness/numbers.ts'
import { processesOf, residentMb } from '../harness/resources.ts'
import { aBenchPlayer, type BenchPortal, withBenchPortal } from './bench-portal.ts'
import { gatherCrowd } from './crowd.ts'
import { probe, type Probed } from './probe.ts'
import { type Desk, openDesk } from './tournament-desk.ts'

const MAX_ROUND = 7
/** Of the bench, the portal and PostgreSQL, besides the streams. */
const OTHER_FILES = 500
/** Others open a page so often; the wait of one does not depend on that of the one before. */
const PAUSE_MS = 40
const QUIET_MS = 15_000
const MEMORY_EACH_MS = 1_000

/** `acts`: matches called, and results. */
type Options = { spectators: number; acts: number; minutes: number }

/** Spectators of one tournament of 128 teams while it is played, and what others wait meanwhile. */
export const benchSpectators = ({ spectators, acts, minutes }: Options) =>
  withBenchPortal(async (portal) => {
    const openFilesMax = await openFiles()
    if (openFilesMax < spectators + OTHER_FILES)
      throw new Error(
        `${spectators} streams need ${spectators + OTHER_FILES} open files a process, and ulimit -n allows ${openFilesMax}`,
      )
    await using cleanup = new AsyncDisposableStack()
    const desk = await openDesk(portal, MAX_ROUND)
    const { token } = await aBenchPlayer(portal)
    const others = { url: portal.url, token, pauseMs: PAUSE_MS }
    await probe(others, () => sleep(QUIET_MS / 3))
    const quiet = await probe(others, () => sleep(QUIET_MS))
    const restMb = await memoryOf(portal)
    const path = `/api/tournaments/${desk.id}/events`
    const crowd = await gatherCrowd(cleanup, { url: portal.url, path, spectators, event: desk.event })
    const loadBefore = loadavg()[0]
    const before = await portal.spent()
    let acted: Acted | undefined
    const busy = await probe(others, async () => {
      acted = await enter(portal, desk, { acts, ms: minutes * 60_000 })
    })
    const after = await portal.spent()
    const { sent, answeredMs, memoryMb } = acted as Acted
    const received = await crowd.received(sent)
    return {
      minutes,
      openFilesMax,
      load: { before: loadBefore, after: loadavg()[0] },
      // What the referee waits for; a spectator may be reached before.
      answeredMs: { p50: median(answeredMs), max: quantile(answeredMs, 1) },
      received,
      isReceivedByAll: received.missing === 0 && received.doubled === 0,
      nodeMsPerAct: (after.nodeMs - before.nodeMs) / acts,
      restMb,
      memoryMb,
      others: waitsOf(quiet, busy),
    }
  })

async function openFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 0)
}

const memoryOf = async (portal: BenchPortal): Promise<number> => {
  const { node } = await processesOf(portal)
  const each = await Promise.all(node.map((pid) => residentMb({ pid })))
  return each.reduce((all, mb) => all + mb, 0)
}

type Acted = { sent: Record<number, number>; answeredMs: number[]; memoryMb: number }

/** The acts at a steady pace, and the most memory that the portal took meanwhile. */
async function enter(
  portal: BenchPortal,
  desk: Desk,
  { acts, ms }: { acts: number; ms: number },
): Promise<Acted> {
  const sent: Record<number, number> = {}
  const answeredMs: number[] = []
  let memoryMb = 0
  const over = new AbortController()
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(MEMORY_EACH_MS))
      memoryMb = Math.max(memoryMb, await memoryOf(portal))
  })()
  const start = performance.now()
  for (let count = 0; count < acts; count++) {
    await sleep(Math.max(0, start + (count * ms) / acts - performance.now()))
    const { number, sentAt } = await desk.act()
    sent[number] = sentAt
    answeredMs.push(Date.now() - sentAt)
  }
  await sleep(Math.max(0, start + ms - performance.now()))
  over.abort()
  await watching
  return { sent, answeredMs, memoryMb }
}

/** Of each page and call: 95 of 100 waits are shorter, in the quiet and beside the spectators. */
function waitsOf(quiet: Probed, busy: Probed) {
  return Object.fromEntries(
    Object.entries(busy).map(([path, times]) => {
      const [quietP95Ms, p95Ms] = [quantile(quiet[path] ?? [], 0.95), quantile(times, 0.95)]
      return [path, { quietP95Ms, p95Ms, ratio: p95Ms / quietP95Ms }]
    }),
  )
}
