import { buildIfNeeded } from '#scripts/build.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { proveNotices } from './notices.ts'

const USAGE = `npm run notices -- [--count N] [--seed N] [--lanes N] [--processes N] [--searches N]

Sends N notices of bank transfers (10,000) as four providers write them, and as they should not: odd encodings, fields
missing or of another type, virtual accounts, twins, repeats, changes, wrong signatures. What became of each is
compared with a second implementation of docs/decisions/0079. Prints one JSON object; exit code 1 when anything differs.`
const { values } = readOptions({
  usage: USAGE,
  options: { count: 'number', seed: 'number', lanes: 'number', processes: 'number', searches: 'number' },
})

await buildIfNeeded()
const { count = 10_000, seed = Date.now() % 1_000_000, lanes = 8, processes = 2, searches = 1_000 } = values
const { wrong, ...report } = await proveNotices({ seed, count, lanes, processes, searches })
const SHOWN_MAX = 50
console.log(JSON.stringify({ ...report, wrong: wrong.length, first: wrong.slice(0, SHOWN_MAX) }, null, 2))
process.exitCode = report.isClean ? 0 : 1
// Only what did not finish prevents the process from ending.
setTimeout(() => process.exit(), 10_000).unref()
