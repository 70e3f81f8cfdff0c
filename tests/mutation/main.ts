import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { cloneTemplate, createTemplate, openTestServer } from '#tests/support/databases.ts'
import { listDatabaseGuards } from './database/index.ts'
import type { ProgramGuard } from './program/guard.ts'
import { PROGRAM_GUARDS } from './program/index.ts'
import { openWorkingCopy, root, runTests, withReplaced, type TestRun } from './working-copy.ts'

const USAGE = `npm run mutation [-- --only <text>] [-- --from <text>] [-- --list]

Removes each guard alone and runs the tests that have to fail without it; exit code 1 when they pass.
  --only <text>   the guards with this text in their names
  --from <text>   those of the program from the first such one on
  --list          print the names only
Guards of the database are removed all at once, each in a transaction of its own; those of the program in copies of the
working tree.`
const { values } = readOptions({ usage: USAGE, options: { only: 'text', from: 'text', list: 'flag' } })
const { only = '', from = '' } = values
const isSelected = (guard: string) => guard.includes(only)
const first = PROGRAM_GUARDS.findIndex(({ guard }) => guard.includes(from))
if (first === -1) endWithUsage(USAGE, `No guard of the program has “${from}” in its name.`)
const AT_ONCE = 2

const start = performance.now()
const server = await openTestServer()
const environment: Record<string, string> = { TEST_DATABASE_URL: server.url }
const outcomes: Outcome[] = []
const unchanged = new Map<string, Promise<boolean>>()
try {
  environment.TEST_TEMPLATE = await createTemplate(server.url)
  const ofProgram = PROGRAM_GUARDS.slice(first).filter(({ guard }) => isSelected(guard))
  if (values.list) {
    await list(ofProgram)
  } else {
    if (from === '') report(await removeDatabaseGuards())
    await removeProgramGuards(ofProgram)
    conclude()
  }
} finally {
  await server.stop()
}

async function list(ofProgram: readonly ProgramGuard[]): Promise<void> {
  const database = await cloneTemplate(server.url, environment.TEST_TEMPLATE ?? '')
  const ofDatabase = await asOwner(database.ownerUrl, listDatabaseGuards)
  const names = [...ofDatabase.map(({ name }) => name), ...ofProgram.map(({ guard }) => guard)]
  for (const name of names.filter(isSelected)) console.log(name)
}

function report(newer: Outcome[]): void {
  outcomes.push(...newer)
  for (const { guard, end, detail } of newer) {
    if (newer.length === 1 || end !== 'caught') console.log(`${end.padEnd(8)}  ${guard}  (${detail})`)
  }
}

async function removeDatabaseGuards(): Promise<Outcome[]> {
  const run = await runTests(
    root,
    { files: ['tests/db/database-guards.db.test.ts'] },
    { ...environment, GUARDS_REMOVED: '1' },
  )
  if (run.crash !== null) return [classify('guards of the database', run)]
  return run.results
    .filter(({ name }) => isSelected(name))
    .map((result) => classify(result.name, { results: [result], crash: null }))
}

/** Each of the copies takes the next guard that nobody has taken. */
async function removeProgramGuards(guards: ProgramGuard[]): Promise<void> {
  const left = [...guards]
  const work = async () => {
    const copy = await openWorkingCopy()
    try {
      for (let guard = left.shift(); guard; guard = left.shift()) {
        report([await removeOne(guard, copy.folder)])
      }
    } finally {
      await copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, work))
}

/**
 * One file after the other, until one notices that the guard is gone. Its first failing test is enough, unless it fails
 * of something else than what it asserts.
 */
async function removeOne({ guard, tests, ...removal }: ProgramGuard, folder: string): Promise<Outcome> {
  let last: Outcome | undefined
  for (const file of tests) {
    for (const isFirstEnough of [true, false]) {
      const run = await runWithout(removal, folder, { files: [file], isFirstEnough })
      const outcome = classify(guard, run)
      if (outcome.end === 'caught' && !(await failsAnyway(folder, file))) return outcome
      const result: Outcome =
        outcome.end === 'caught' ? { ...outcome, end: 'broken', detail: `fails anyway: ${file}` } : outcome
      // A file that could not run is reported, whatever the others say.
      if (last?.end !== 'broken') last = result
      if (outcome.end !== 'broken') break
    }
  }
  return last ?? { guard, end: 'survived', detail: 'no tests' }
}

/**
 * `caught`: a test's own assertion fails. `survived`: every test passes. `broken`: the tests could not say, since they do
 * not run at all or fail of something else than what they assert.
 */
type Outcome = { guard: string; end: 'caught' | 'survived' | 'broken'; detail: string }

/** `expect` itself throws plain errors for what was or was not thrown, and for what was done instead of being refused. */
function isAssertion(failure: string): boolean {
  return /^(AssertionError|Error: expect(ed|\()|Error: promise resolved .* instead of rejecting)/s.test(
    failure,
  )
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 160) ?? ''
}

function classify(guard: string, { results, crash }: TestRun): Outcome {
  const failed = results.filter(({ isPassed }) => !isPassed)
  const caughtBy = failed.find(({ failure }) => isAssertion(failure))
  if (caughtBy) return { guard, end: 'caught', detail: `${caughtBy.file}: ${caughtBy.name}` }
  const [first] = failed
  if (first) return { guard, end: 'broken', detail: `${first.name}: ${firstLine(first.failure)}` }
  if (crash !== null) return { guard, end: 'broken', detail: firstLine(crash) }
  return { guard, end: 'survived', detail: `${results.length} tests passed` }
}

function isPassed({ results, crash }: TestRun): boolean {
  return crash === null && results.every((result) => result.isPassed)
}

type Removal = { sql: string } | { file: string; text: string; instead: string }
type Tests = { files: readonly string[]; isFirstEnough: boolean }

function runWithout(removal: Removal, folder: string, tests: Tests): Promise<TestRun> {
  if ('sql' in removal) return runTests(folder, tests, { ...environment, GUARD_REMOVAL: removal.sql })
  return withReplaced(folder, removal, () => runTests(folder, tests, environment))
}

/** Whether a test file fails with every guard in place: then its failure proves nothing. */
function failsAnyway(folder: string, file: string): Promise<boolean> {
  const run =
    unchanged.get(file) ??
    runTests(folder, { files: [file] }, environment).then((result) => !isPassed(result))
  unchanged.set(file, run)
  return run
}

function conclude(): void {
  const count = (end: Outcome['end']) => outcomes.filter((outcome) => outcome.end === end).length
  const minutes = ((performance.now() - start) / 60_000).toFixed(1)
  console.log(
    `\n${outcomes.length} guards: ${count('caught')} caught, ${count('survived')} survived, ${count('broken')} broken; ${minutes} minutes`,
  )
  process.exitCode = outcomes.length > 0 && count('caught') === outcomes.length ? 0 : 1
}
