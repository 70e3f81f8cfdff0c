import { AROUND_SECONDS_MAX, inLanes, type TableReport } from '../faults/lanes.ts'
import { runFaults } from '../faults/run.ts'
import { OUTAGES } from './list.ts'
import { asFault } from './outage.ts'

const FIGURES = [
  'pages opened',
  'pages not shown',
  'slowest page, ms',
  '503 with Retry-After',
  'changed again after, s',
  'made up for after, s',
]

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
  return inLanes(jobs, { lanes, skipped, figures: FIGURES })
}
