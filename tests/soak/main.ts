import { parseArgs } from 'node:util'
import { buildIfNeeded } from '#scripts/build.ts'
import { soak } from './soak.ts'

/**
 * `npm run soak -- [--minutes N] [--seed N] [--players N]`: a web process and a worker under steady load. Exit 1 when memory,
 * handles, connections or the log grow beyond their bounds, or the books are wrong.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { minutes: text, seed: text, players: text } })
const ms = Number(values.minutes ?? 20) * 60_000
const SHOWN_MAX = 20
const WARM_UP_MS = 5 * 60_000

await buildIfNeeded()
const { rows, disk, books, log, failures, isClean, ...figures } = await soak({
  seed: Number(values.seed ?? Date.now() % 1_000_000),
  ms,
  // A short run warms up for a quarter of its time and proves less.
  warmUpMs: Math.min(WARM_UP_MS, ms / 4),
  players: Number(values.players ?? 10),
  say: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
})
console.table(rows)
console.log('Kilobytes per 1,000 operations:')
console.table(disk)
console.table(log)
console.table(books)
for (const line of failures.slice(0, SHOWN_MAX)) console.log(`  failed: ${line}`)
console.table(figures)
console.log(isClean ? 'Clean: nothing grows but what is kept.' : 'NOT clean.')
process.exitCode = isClean ? 0 : 1
