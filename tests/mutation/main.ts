import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { createTemplate, openTestServer } from '#tests/support/databases.ts'
import type { ProgramGuard } from './program/guard.ts'
import { PROGRAM_GUARDS } from './program/index.ts'
import { isPassed, judge, type Verdict } from './verdict.ts'
import { openWorkingCopy, root, runTests, withReplaced, type TestRun } from './working-copy.ts'

const USAGE = `npm run mutation [-- --only <text>] [-- --from <text>]

Removes each guard alone and runs the tests that have to fail without it; exit code 1 when they pass.
  --only <text>   the guards with this text in their names
  --from <text>   those of the program from the first such one on
Guards of the database are removed all at once, each in a transaction of its own; those of the program in copies of the
working tree.`
const { values } = readOptions({ usage: USAGE, options: { only: 'text', from: 'text' } })
const { only = '', from = '' } = values
const isAsked = (guard: string) => guard.includes(only)
const first = PROGRAM_GUARDS.findIndex(({ guard }) => guard.includes(from))
if (first === -1) endWithUsage(USAGE, `No guard of the program has “${from}” in its name.`)
const AT_ONCE = 2

const start = performance.now()
const server = await openTestServer()
const environment: Record<string, string> = { TEST_DATABASE_URL: server.url }
const verdicts: Verdict[] = []
const unchanged = new Map<string, Promise<boolean>>()
try {
  environment.TEST_TEMPLATE = await createTemplate(server.url)
  if (from === '') report(await judgeDatabase())
  await judgeProgram(PROGRAM_GUARDS.slice(first).filter(({ guard }) => isAsked(guard)))
} finally {
  await server.stop()
}
conclude()

function report(newer: Verdict[]): void {
  verdicts.push(...newer)
  for (const { guard, end, detail } of newer) {
    if (newer.length === 1 || end !== 'caught') console.log(`${end.padEnd(8)}  ${guard}  (${detail})`)
  }
}

async function judgeDatabase(): Promise<Verdict[]> {
  const run = await runTests(
    root,
    { files: ['tests/db/database-guards.db.test.ts'] },
    { ...environment, GUARDS_REMOVED: '1' },
  )
  if (run.crash !== null) return [judge('guards of the database', run)]
  return run.results
    .filter(({ name }) => isAsked(name))
    .map((result) => judge(result.name, { results: [result], crash: null }))
}

/** Each of the copies takes the next guard that nobody has taken. */
async function judgeProgram(guards: ProgramGuard[]): Promise<void> {
  const left = [...guards]
  const work = async () => {
    const copy = await openWorkingCopy()
    try {
      for (let guard = left.shift(); guard; guard = left.shift()) {
        report([await judgeOne(guard, copy.folder)])
      }
    } finally {
      await copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, work))
}

/**
 * One file after the other, until one misses the guard. Its first failing test says enough, unless it fails of something
 * else than what it asserts.
 */
async function judgeOne({ guard, tests, ...removal }: ProgramGuard, folder: string): Promise<Verdict> {
  let last: Verdict | undefined
  for (const file of tests) {
    for (const isFirstEnough of [true, false]) {
      const run = await runWithout(removal, folder, { files: [file], isFirstEnough })
      const verdict = judge(guard, run)
      if (verdict.end === 'caught' && !(await failsAnyway(folder, file))) return verdict
      const said: Verdict =
        verdict.end === 'caught' ? { ...verdict, end: 'broken', detail: `fails anyway: ${file}` } : verdict
      // A file that could not say is told of, whatever the others say.
      if (last?.end !== 'broken') last = said
      if (verdict.end !== 'broken') break
    }
  }
  return last ?? { guard, end: 'survived', detail: 'no tests' }
}

type Removal = { sql: string } | { file: string; text: string; instead: string }
type Tests = { files: readonly string[]; isFirstEnough: boolean }

function runWithout(removal: Removal, folder: string, tests: Tests): Promise<TestRun> {
  if ('sql' in removal) return runTests(folder, tests, { ...environment, GUARD_REMOVAL: removal.sql })
  return withReplaced(folder, removal, () => runTests(folder, tests, environment))
}

/** Whether a test file fails with every guard in place: then it says nothing. */
function failsAnyway(folder: string, file: string): Promise<boolean> {
  const asked =
    unchanged.get(file) ?? runTests(folder, { files: [file] }, environment).then((run) => !isPassed(run))
  unchanged.set(file, asked)
  return asked
}

function conclude(): void {
  const count = (end: Verdict['end']) => verdicts.filter((verdict) => verdict.end === end).length
  const minutes = ((performance.now() - start) / 60_000).toFixed(1)
  console.log(
    `\n${verdicts.length} guards: ${count('caught')} caught, ${count('survived')} survived, ${count('broken')} broken; ${minutes} minutes`,
  )
  process.exitCode = verdicts.length > 0 && count('caught') === verdicts.length ? 0 : 1
}
