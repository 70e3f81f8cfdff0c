import { readFile } from 'node:fs/promises'
import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { benchActs } from './acts.ts'
import { benchAlike } from './alike.ts'
import { benchBracket } from './bracket.ts'
import { benchCalls } from './calls.ts'
import { benchConsole } from './console.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchGameLogins } from './game-logins.ts'
import { benchGrowth } from './growth.ts'
import { benchLedger } from './ledger.ts'
import { benchLogins } from './logins.ts'
import { benchPages } from './pages/pages.ts'
import { benchProcesses } from './processes.ts'
import { benchRankings } from './rankings.ts'
import { changesOf, inFourDigits, missedBounds } from './report.ts'
import { benchSpectators } from './spectators.ts'
import { benchStreams } from './streams.ts'
import { benchTaps } from './taps.ts'
import { benchTracing } from './tracing.ts'
import { benchVisit } from './visit.ts'

const PAIRS = 5
const SPECTATOR_MINUTES = 10
const SPECTATOR_ACTS_PER_MINUTE = 20

const PARTS: Record<string, () => Promise<object>> = {
  logins: () => benchLogins({ logins: 500, runs: 3 }),
  'game-logins': () => benchGameLogins({ seconds: 5, first: 500 }),
  calls: () => benchCalls({ pairs, seconds: 3 }),
  alike: () => benchAlike({ samples: 500, runs: 2 }),
  deliveries: () => benchDeliveries({ pairs, seconds: 12 }),
  console: () => benchConsole({ size: { players: 100_000, entries: 10 }, runs: 20 }),
  growth: () =>
    benchGrowth({ sizes: [1_000, 100_000, 1_000_000], rounds: 200, folder: process.env.GROWTH_DIR }),
  streams: () => benchStreams({ streams: 1_000, events: 100, restMs: 15_000 }),
  spectators: () =>
    benchSpectators({ spectators: 5_000, acts: SPECTATOR_ACTS_PER_MINUTE * minutes, minutes }),
  tracing: () => benchTracing({ pairs: 2 * pairs, requests: 80 }),
  ledger: () => benchLedger(values.pgledger ?? '', { pairs, seconds: 4 }),
  acts: () => benchActs({ pairs, seconds: 4 }),
  pages: () => benchPages({ pairs, seconds: 4 }),
  visit: () => benchVisit({ runs: pairs }),
  taps: () => benchTaps({ runs: pairs }),
  bracket: () => benchBracket({ runs: pairs }),
  rankings: () => benchRankings({ characters: 1_000_000, calls: 250 }),
  processes: () => benchProcesses({ pairs, seconds: 6 }),
}

const USAGE = `npm run bench -- [<part> …] [--json] [--pairs N] [--compare <file>]

Figures of the parts that are named, or of all, as one JSON object at the end; exit code 1 when one is outside its bound
(docs/proofs.md). Parts: ${Object.keys(PARTS).join(', ')}.
  --json              on one line
  --minutes N         how long the part spectators takes; ${SPECTATOR_MINUTES} when left out
  --pairs N           so many interleaved pairs of runs, or runs; ${PAIRS} when left out
  --compare <file>    the change of every figure against a report that was saved
  --pgledger <folder> the SQL of pgledger, with which the ledger's postings are compared`
const { words, values } = readOptions({
  usage: USAGE,
  options: { json: 'flag', pgledger: 'text', pairs: 'number', minutes: 'number', compare: 'text' },
  words: Object.keys(PARTS),
})
if (words.includes('ledger') && values.pgledger === undefined)
  endWithUsage(USAGE, 'The part ledger needs --pgledger.')
const pairs = values.pairs ?? PAIRS
const minutes = values.minutes ?? SPECTATOR_MINUTES
const all = Object.keys(PARTS).filter((name) => name !== 'ledger' || values.pgledger !== undefined)
const report: Record<string, object | undefined> = {}
for (const name of words.length > 0 ? words : all) report[name] = await PARTS[name]?.()
const rounded = inFourDigits(report)
const missed = missedBounds(rounded)
if (values.compare !== undefined) {
  const saved: unknown = JSON.parse(await readFile(values.compare, 'utf8'))
  console.log(changesOf(saved, rounded).join('\n'))
}
const isWithin = missed.length === 0
console.log(JSON.stringify({ ...rounded, missed, isWithin }, null, values.json ? 0 : 2))
process.exitCode = isWithin ? 0 : 1
