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

/** In a world with load. */
export const WORLD_FAULTS = {
  T1: killedApps,
  T2: killedPostgres,
  T3: killedWorkers,
  T4: cutConnections,
  T6: forgedNotices,
  T7: doubleSpends,
  T8: sameKeys,
  T9: rings,
  T10: firstTimes,
  T11: wrongClock,
  T12: failingGame,
  T14: exhaustedDatabase,
  T17: modelled,
  T18: badInputs,
} satisfies Record<string, WorldFault>

const FAULTS: Record<string, WorldFault | OwnFault> = { ...WORLD_FAULTS, ...OWN_FAULTS }
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

/** Each fault with each seed, one after the other; a line of JSON as soon as it is known. */
export async function runTable({
  faults,
  seeds,
  seconds,
  seed,
}: TableOptions): Promise<{ rows: Row[]; skipped: string[]; isClean: boolean }> {
  const rows: Row[] = []
  const skipped: string[] = []
  for (const name of chosen(faults)) {
    const fault = FAULTS[name] as WorldFault | OwnFault
    const missing = 'inject' in fault ? (fault.missing?.() ?? null) : null
    if (missing !== null) {
      skipped.push(`${name} was skipped: ${missing}`)
      continue
    }
    for (let number = 0; number < seeds; number++) {
      const row = await runOne(name, fault, { seed: seed + number, seconds })
      rows.push(row)
      console.log(JSON.stringify(row))
    }
  }
  for (const line of skipped) console.log(line)
  console.log(tableOf(rows))
  return { rows, skipped, isClean: rows.length > 0 && rows.every(({ isClean }) => isClean) }
}

async function runOne(
  name: string,
  fault: WorldFault | OwnFault,
  pace: { seed: number; seconds: number },
): Promise<Row> {
  if ('inject' in fault) return runFaults({ [name]: fault }, { ...pace, players: PLAYERS })
  return { fault: name, name: fault.name, seed: pace.seed, ...(await fault.run(pace)) }
}

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
