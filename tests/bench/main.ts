import { readFile } from 'node:fs/promises'
import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { benchActs } from './acts.ts'
import { benchAlike } from './alike.ts'
import { benchCalls } from './calls.ts'
import { changesOf } from './compare.ts'
import { benchConsole } from './console.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchGrowth } from './growth.ts'
import { benchLedger } from './ledger/ledger.ts'
import { benchPgledger } from './ledger/pgledger.ts'
import { PARTS as LEDGER_PARTS } from './ledger/parts.ts'
import { benchLogins } from './logins.ts'
import { benchPages } from './pages/pages.ts'
import { benchProcesses } from './processes.ts'
import { benchStreams } from './streams.ts'
import { benchTracing } from './tracing.ts'
import { benchVisit } from './visit.ts'

/** The last commit in which each of the house's accounts was one row. */
const BEFORE_STRIPES = '4d01a81'
const PAIRS = 5

const PARTS: Record<string, () => Promise<{ report: object; isWithin: boolean }>> = {
  logins: async () => {
    const report = await benchLogins({ logins: 500, runs: 3 })
    return { report, isWithin: report.isWithin }
  },
  calls: async () => {
    const report = await benchCalls({ pairs, seconds: 3 })
    return { report, isWithin: report.isWithin }
  },
  alike: async () => {
    const report = await benchAlike({ samples: 500, runs: 2 })
    return { report, isWithin: report.isAlike }
  },
  deliveries: async () => {
    const report = await benchDeliveries({ pairs: 5, seconds: 12 })
    return { report, isWithin: report.isWithin }
  },
  console: async () => {
    const size = { players: 100_000, entries: 10 }
    const report = await benchConsole({ size, runs: 20 })
    return { report, isWithin: report.isWithin }
  },
  growth: async () => {
    const sizes = [1_000, 100_000, 1_000_000]
    const report = await benchGrowth({ sizes, rounds: 200, folder: process.env.GROWTH_DIR })
    return { report, isWithin: report.isWithin }
  },
  streams: async () => {
    const report = await benchStreams({ streams: 1_000, events: 100, restMs: 15_000 })
    return { report, isWithin: report.isWithin }
  },
  tracing: async () => {
    const report = await benchTracing({ rounds: 10, requests: 80 })
    return { report, isWithin: report.isWithin }
  },
  ledger: async () => {
    if (values.pgledger !== undefined) {
      const report = await benchPgledger(values.pgledger, { pairs, seconds: 4 })
      return { report, isWithin: report.isWithin }
    }
    const report = await benchLedger({
      before: values.before ?? BEFORE_STRIPES,
      parts: part === undefined ? [] : [part],
      pairs,
      seconds: 4,
    })
    return { report, isWithin: report.isWithin }
  },
  acts: async () => ({ report: await benchActs({ pairs: 5, seconds: 4 }), isWithin: true }),
  pages: async () => {
    const report = await benchPages({ pairs, seconds: 4 })
    return { report, isWithin: report.isWithin }
  },
  visit: async () => {
    const report = await benchVisit({ runs: pairs })
    return { report, isWithin: report.isWithin }
  },
  processes: async () => {
    const report = await benchProcesses({ rounds: 8, seconds: 6 })
    return { report, isWithin: report.isWithin }
  },
}

const USAGE = `npm run bench -- [<part> …] [--json] [--pairs N] [--compare <file>]

Figures of the parts that are named, or of all, as one JSON object at the end; exit code 1 when one is outside its bound
(docs/proofs.md). Parts: ${Object.keys(PARTS).join(', ')}.
  --json              on one line
  --pairs N           so many interleaved pairs of runs, or runs; ${PAIRS} when left out
  --compare <file>    the change of every figure against a report that was saved
  --before <commit>   what the ledger is compared with; ${BEFORE_STRIPES} when left out
  --pgledger <folder> compares the ledger's postings with pgledger instead, whose SQL lies there
  --part <name>       only this part of the ledger: ${LEDGER_PARTS.join(', ')}`
const { words, values } = readOptions({
  usage: USAGE,
  options: { json: 'flag', before: 'text', pgledger: 'text', part: 'text', pairs: 'number', compare: 'text' },
  words: Object.keys(PARTS),
})
const pairs = values.pairs ?? PAIRS
const part = LEDGER_PARTS.find((one) => one === values.part)
if (values.part !== undefined && part === undefined)
  endWithUsage(USAGE, `The ledger has no part “${values.part}”.`)
const names = words.length > 0 ? words : Object.keys(PARTS)
const reports: Record<string, object> = {}
let isWithin = true
for (const name of names) {
  const measured = await (PARTS[name] as (typeof PARTS)[string])()
  reports[name] = measured.report
  isWithin &&= measured.isWithin
}
const figures = { ...reports, isWithin }
if (values.compare !== undefined) {
  const saved: unknown = JSON.parse(await readFile(values.compare, 'utf8'))
  console.log(changesOf(saved, figures).join('\n'))
}
console.log(values.json ? JSON.stringify(figures) : JSON.stringify(figures, null, 2))
process.exitCode = isWithin ? 0 : 1
