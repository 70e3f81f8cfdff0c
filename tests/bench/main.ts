import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { benchActs } from './acts.ts'
import { benchAlike } from './alike.ts'
import { benchCalls } from './calls.ts'
import { changesOf } from './compare.ts'
import { benchConsole } from './console.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchGrowth } from './growth.ts'
import { benchLedger } from './ledger/ledger.ts'
import { benchPgledger } from './ledger/pgledger.ts'
import { partOf } from './ledger/parts.ts'
import { benchLogins } from './logins.ts'
import { benchPages } from './pages/pages.ts'
import { benchProcesses } from './processes.ts'
import { benchStreams } from './streams.ts'
import { benchTracing } from './tracing.ts'
import { benchVisit } from './visit.ts'

/**
 * `npm run bench -- --json [logins] [calls] [alike] [deliveries] [console] [growth] [streams] [tracing] [ledger] [acts] [processes] [pages] [visit]`: measured figures of the parts that are named, or of all. Prints one JSON
 * object last; exit 1 when a figure is outside its bound. `--before <commit>` is what the ledger is compared with, `--pgledger <folder>`
 * compares its postings with pgledger instead, whose SQL lies there. `--part <name>` and `--pairs <n>` measure less of it.
 * `--compare <file>` shows the change of every figure against a report that was saved.
 */
/** The last commit in which each of the house's accounts was one row. */
const BEFORE_STRIPES = '4d01a81'

const PARTS: Record<string, () => Promise<{ report: object; isWithin: boolean }>> = {
  logins: async () => {
    const report = await benchLogins({ logins: 500, runs: 3 })
    return { report, isWithin: report.isWithin }
  },
  calls: async () => {
    const report = await benchCalls({ pairs: Number(values.pairs), seconds: 3 })
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
      const report = await benchPgledger(values.pgledger, { pairs: Number(values.pairs), seconds: 4 })
      return { report, isWithin: report.isWithin }
    }
    const report = await benchLedger({
      before: values.before,
      parts: values.part.map(partOf),
      pairs: Number(values.pairs),
      seconds: 4,
    })
    return { report, isWithin: report.isWithin }
  },
  acts: async () => ({ report: await benchActs({ pairs: 5, seconds: 4 }), isWithin: true }),
  pages: async () => {
    const report = await benchPages({ pairs: Number(values.pairs), seconds: 4 })
    return { report, isWithin: report.isWithin }
  },
  visit: async () => {
    const report = await benchVisit({ runs: Number(values.pairs) })
    return { report, isWithin: report.isWithin }
  },
  processes: async () => {
    const report = await benchProcesses({ rounds: 8, seconds: 6 })
    return { report, isWithin: report.isWithin }
  },
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    before: { type: 'string', default: BEFORE_STRIPES },
    pgledger: { type: 'string' },
    part: { type: 'string', multiple: true, default: [] },
    pairs: { type: 'string', default: '5' },
    compare: { type: 'string' },
  },
})
const names = positionals.length > 0 ? positionals : Object.keys(PARTS)
const reports: Record<string, object> = {}
let isWithin = true
for (const name of names) {
  const part = PARTS[name]
  if (!part) throw new Error(`there is no part ${name}; there are ${Object.keys(PARTS).join(', ')}`)
  const measured = await part()
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
