import { buildIfNeeded } from '#scripts/build.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { say } from '../harness/report.ts'
import { soak } from './soak.ts'

const USAGE = `npm run soak -- [--minutes N] [--seed N] [--players N]

A web process and a worker under steady load, 20 minutes when left out. Memory, handles, connections and log
must not grow; exit code 1 when they do, or when the books are wrong (docs/proofs.md).`
const { values } = readOptions({
  usage: USAGE,
  options: { minutes: 'number', seed: 'number', players: 'number' },
})
const ms = (values.minutes ?? 20) * 60_000
const SHOWN_MAX = 20
const WARM_UP_MS = 5 * 60_000

await buildIfNeeded()
const { rows, books, failures, isClean, ...figures } = await soak({
  seed: values.seed ?? Date.now() % 1_000_000,
  ms,
  // A short run warms up for a quarter of its time and proves less.
  warmUpMs: Math.min(WARM_UP_MS, ms / 4),
  players: values.players ?? 10,
  say,
})
console.table(rows)
console.table(books)
for (const line of failures.slice(0, SHOWN_MAX)) console.log(`  failed: ${line}`)
console.table(figures)
console.log(isClean ? 'Clean: nothing grows but what is kept.' : 'NOT clean.')
process.exitCode = isClean ? 0 : 1
