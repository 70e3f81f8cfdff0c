import { readFile } from 'node:fs/promises'
import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { benchActs } from './acts.ts'
import { benchAlike } from './alike.ts'
import { benchCalls } from './calls.ts'
import { changesOf } from '../harness/report.ts'
import { benchConsole } from './console.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchGrowth } from './growth.ts'
import { benchLedger } from './ledger/ledger.ts'
import { benchPgledger } from './ledger/pgledger.ts'
import { PARTS as LEDGER_PARTS } from './ledger/world.ts'
import { benchLogins } from './logins.ts'
import { benchPages } from './pages/pages.ts'
import { benchProcesses } from './processes.ts'
import { benchStreams } from './streams.ts'
import { benchTracing } from './tracing.ts'
import { benchVisit } from './visit.ts'

/** The last commit in which each of the portal's accounts was one row. */
const BEFORE_STRIPES = '4d01a81'
const PAIRS = 5

const PARTS: Record<string, () => Promise<{ isWithin: boolean }>> = {
  logins: () => benchLogins({ logins: 500, runs: 3 }),
  calls: () => benchCalls({ pairs, seconds: 3 }),
  alike: () => benchAlike({ samples: 500, runs: 2 }),
  deliveries: () => benchDeliveries({ pairs: 5, seconds: 12 }),
  console: () => benchConsole({ size: { players: 100_000, entries: 10 }, runs: 20 }),
  growth: () =>
    benchGrowth({ sizes: [1_000, 100_000, 1_000_000], rounds: 200, folder: process.env.GROWTH_DIR }),
  streams: () => benchStreams({ streams: 1_000, events: 100, restMs: 15_000 }),
  tracing: () => benchTracing({ rounds: 10, requests: 80 }),
  ledger: () =>
    values.pgledger === undefined
      ? benchLedger({
          before: values.before ?? BEFORE_STRIPES,
          parts: part === undefined ? [] : [part],
          pairs,
          seconds: 4,
        })
      : benchPgledger(values.pgledger, { pairs, seconds: 4 }),
  acts: async () => ({ ...(await benchActs({ pairs: 5, seconds: 4 })), isWithin: true }),
  pages: () => benchPages({ pairs, seconds: 4 }),
  visit: () => benchVisit({ runs: pairs }),
  processes: () => benchProcesses({ rounds: 8, seconds: 6 }),
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
const reports: Record<string, { isWithin: boolean }> = {}
for (const name of names) reports[name] = await (PARTS[name] as (typeof PARTS)[string])()
const isWithin = Object.values(reports).every((report) => report.isWithin)
const figures = { ...reports, isWithin }
if (values.compare !== undefined) {
  const saved: unknown = JSON.parse(await readFile(values.compare, 'utf8'))
  console.log(changesOf(saved, figures).join('\n'))
}
console.log(values.json ? JSON.stringify(figures) : JSON.stringify(figures, null, 2))
process.exitCode = isWithin ? 0 : 1
