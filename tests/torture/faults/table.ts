import { exhaustedDatabase } from './database.ts'
import { wrongClock } from './clock.ts'
import { OWN_FAULTS, type OwnFault } from './drills.ts'
import type { WorldFault } from './fault.ts'
import { forgedNotices } from './forged.ts'
import { badInputs } from './inputs.ts'
import { doubleSpends, firstTimes, rings, sameKeys } from './money.ts'
import { cutConnections, failingGame } from './network.ts'
import { killedApps, killedPostgres, killedWorkers } from './processes.ts'
import { modelled } from './properties.ts'
import { runFaults, type Row } from './run.ts'

/** What is done to the portal, one at a time in a world with load. */
const WORLD_FAULTS = {
  T1: killedApps,
  T2: killedPostgres,
  T3: killedWorkers,
  T4: cutConnections,
  T11: wrongClock,
  T12: failingGame,
  T14: exhaustedDatabase,
} satisfies Record<string, WorldFault>

/** What clients do: side by side in one world, each with players and a log of its own. */
const CLIENT_FAULTS = {
  T6: forgedNotices,
  T7: doubleSpends,
  T8: sameKeys,
  T9: rings,
  T10: firstTimes,
  T17: modelled,
  T18: badInputs,
} satisfies Record<string, WorldFault>

const FAULTS: Record<string, WorldFault | OwnFault> = { ...WORLD_FAULTS, ...CLIENT_FAULTS, ...OWN_FAULTS }
const NAMES = Object.keys(FAULTS).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
const PLAYERS = 6

export type TableOptions = { faults: string; seeds: number; seconds: number; seed: number }

/** `T1,T4` or `all`. */
function chosen(text: string): string[] {
  if (text === 'all') return NAMES
  const wanted = text.split(',').map((name) => name.trim().toUpperCase())
  const unknown = wanted.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0)
    throw new Error(`no such fault: ${unknown.join(', ')}; there are ${NAMES.join(', ')}`)
  return wanted
}

type Batch = Record<string, WorldFault> | { id: string; own: OwnFault }

/** Each fault with each seed, one after the other but for those of clients; a line of JSON as soon as it is known. */
export async function runTable({
  faults,
  seeds,
  seconds,
  seed,
}: TableOptions): Promise<{ rows: Row[]; skipped: string[]; isClean: boolean }> {
  const rows: Row[] = []
  const { batches, skipped } = batchesOf(chosen(faults))
  for (const batch of batches) {
    for (let number = 0; number < seeds; number++) {
      for (const row of await runBatch(batch, { seed: seed + number, seconds })) {
        rows.push(row)
        console.log(JSON.stringify(row))
      }
    }
  }
  for (const line of skipped) console.log(line)
  console.log(tableOf(rows))
  return { rows, skipped, isClean: rows.length > 0 && rows.every(({ isClean }) => isClean) }
}

function batchesOf(names: readonly string[]): { batches: Batch[]; skipped: string[] } {
  const skipped: string[] = []
  const atOnce: Record<string, WorldFault> = {}
  const batches: Batch[] = []
  for (const id of names) {
    const fault = FAULTS[id] as WorldFault | OwnFault
    const missing = 'inject' in fault ? (fault.missing?.() ?? null) : null
    if (missing !== null) skipped.push(`${id} was skipped: ${missing}`)
    else if (!('inject' in fault)) batches.push({ id, own: fault })
    else if (id in CLIENT_FAULTS) atOnce[id] = fault
    else batches.push({ [id]: fault })
  }
  if (Object.keys(atOnce).length > 0) batches.push(atOnce)
  return { batches, skipped }
}

async function runBatch(batch: Batch, pace: { seed: number; seconds: number }): Promise<Row[]> {
  if (!isOwn(batch)) return runFaults(batch, { ...pace, players: PLAYERS, isAtOnce: true })
  const { id, own } = batch
  return [{ fault: id, name: own.name, seed: pace.seed, ...(await own.run(pace)) }]
}

const isOwn = (batch: Batch): batch is { id: string; own: OwnFault } => 'own' in batch

const sum = (rows: readonly Row[], read: (row: Row) => number) =>
  rows.reduce((total, row) => total + read(row), 0)
const total = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0)

/** One line a fault, as Markdown, for docs/measured.md. */
function tableOf(rows: readonly Row[]): string {
  const heads =
    '| Fault | Seeds | Seconds | Operations | Acknowledged | Faults | Settled after, s | Lost | Doubled | Other books | R1–R12 | Wrong |'
  const lines = Object.entries(Object.groupBy(rows, ({ fault }) => fault)).map(([fault, group = []]) =>
    [
      '',
      `${fault} ${group[0]?.name ?? ''}`,
      group.map(({ seed }) => seed).join(', '),
      Math.round(sum(group, ({ seconds }) => seconds)),
      sum(group, ({ operations }) => operations),
      sum(group, ({ acknowledged }) => acknowledged),
      sum(group, ({ injected }) => injected),
      Math.max(...group.map(({ settleSeconds }) => settleSeconds)),
      sum(group, ({ lost }) => lost),
      sum(group, ({ doubled }) => doubled),
      sum(group, ({ books }) => total(books)),
      sum(group, ({ reconcile }) => total(reconcile)),
      sum(group, ({ wrong }) => wrong.length),
      '',
    ].join(' | '),
  )
  return [heads, heads.replace(/[^|]+/g, '---'), ...lines.map((line) => line.trim())].join('\n')
}
