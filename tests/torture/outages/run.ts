import { AROUND_SECONDS_MAX, inLanes } from '../faults/lanes.ts'
import { markdownOf, total, type Row } from '../faults/row.ts'
import { runFaults } from '../faults/run.ts'
import { reportOf, type TableReport } from '../faults/table.ts'
import { OUTAGES } from './list.ts'
import { asFault } from './outage.ts'

export type OutagesOptions = { seed: number; lanes: number; players: number; secondsMax: number }

/** Everything that the portal needs is away once, each in a world of its own with load; one table at the end. */
export async function runOutages({ seed, lanes, players, secondsMax }: OutagesOptions): Promise<TableReport> {
  const skipped: string[] = []
  const jobs = OUTAGES.flatMap((outage, at) => {
    const fault = `O${at + 1}`
    const missing = outage.missing?.() ?? null
    if (missing !== null) {
      skipped.push(`“${outage.name}” was skipped: ${missing}`)
      return []
    }
    const seconds = Math.min(outage.seconds, secondsMax)
    const run = () => runFaults([{ [fault]: asFault(outage, seconds) }], { seed, seconds: Infinity, players })
    const limit = seconds + outage.madeUpSecondsMax + AROUND_SECONDS_MAX
    return [{ rows: [{ fault, name: outage.name, seed }], secondsMax: limit, run }]
  })
  for (const line of skipped) console.log(line)
  const rows = await inLanes(jobs, lanes, (done) => console.log(`\n${tableOf(done)}`))
  return reportOf(rows, skipped)
}

const FIGURES = [
  'pages opened',
  'pages not shown',
  'slowest page, ms',
  '503 with Retry-After',
  'changed again after, s',
  'made up for after, s',
]

const HEADS = [
  'Outage',
  'Seed',
  'Seconds with load',
  'Operations',
  'Acknowledged',
  ...FIGURES,
  'all settled after, s',
  'Lost',
  'Doubled',
  'Other books and R1–R12',
  'Wrong',
]

/** One line an outage, as Markdown, for docs/measured.md. */
function tableOf(rows: readonly Row[]): string {
  const lines = rows
    .toSorted((a, b) => a.fault.localeCompare(b.fault))
    .map((row) => [
      row.name,
      row.seed,
      Math.round(row.seconds),
      row.operations,
      row.acknowledged,
      ...FIGURES.map((name) => row.detail[name] ?? '–'),
      row.settleSeconds,
      row.lost,
      row.doubled,
      total({ ...row.books, ...row.reconcile }),
      row.wrong.length,
    ])
  return markdownOf(HEADS, lines)
}
