import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { delimiter, join } from 'node:path'

const root = fileURLToPath(new URL('../', import.meta.url))

export type Step = {
  name: string
  /** A tool of node_modules/.bin and its arguments. */
  command: readonly [string, ...string[]]
  environment?: Record<string, string>
  /** Where the step's test runners leave their JSON reports, relative to the checkout; counted when they are there. */
  reports?: readonly string[]
}

export type Outcome = { passed: number; failed: number }

/** Runs steps one after the other with their output shown; a step without a report counts as one test. */
export async function runSteps(steps: readonly Step[]): Promise<Outcome> {
  const outcomes: StepOutcome[] = []
  for (const step of steps) outcomes.push(await runStep(step))
  return sumUp(outcomes)
}

/** Runs steps beside each other, their lines mixed: for those that wait more than they work and share nothing. */
export async function runTogether(steps: readonly Step[]): Promise<Outcome> {
  return sumUp(await Promise.all(steps.map(runStep)))
}

type StepOutcome = Outcome & { line: string }

function sumUp(outcomes: readonly StepOutcome[]): Outcome {
  console.log(`\n${outcomes.map(({ line }) => line).join('\n')}`)
  return total(outcomes)
}

const total = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
})

async function runStep(step: Step): Promise<StepOutcome> {
  const start = performance.now()
  console.log(`\n▶ ${step.name}`)
  const files = (step.reports ?? []).map((report) => join(root, report))
  for (const file of files) await rm(file, { force: true })
  const code = await run(step)
  const reports = (await Promise.all(files.map(readReport))).filter((report) => report !== null)
  const outcome =
    reports.length > 0 ? total(reports) : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  // A runner that fails without a failed test (a crash, a missing browser) has failed all the same.
  if (code !== 0 && outcome.failed === 0) outcome.failed = 1
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  return { ...outcome, line: `${outcome.failed === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)` }
}

function run({ command: [tool, ...toolArguments], environment }: Step): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const child = spawn(tool, toolArguments, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      // The pinned Node and tools come first, whatever the machine has.
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  })
  child.on('error', reject)
  child.on('close', (code) => resolve(code ?? 1))
  return promise
}

type VitestReport = { numPassedTests: number; numFailedTests: number; numFailedTestSuites: number }
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }

/** Vitest's or Playwright's JSON report. A skipped or flaky browser test counts as failed: nothing is left out silently. */
async function readReport(file: string): Promise<Outcome | null> {
  let report: VitestReport | PlaywrightReport
  try {
    report = JSON.parse(await readFile(file, 'utf8')) as VitestReport | PlaywrightReport
  } catch {
    // The runner broke before it wrote one; its exit code says so.
    return null
  }
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats
    return { passed: expected, failed: unexpected + flaky + skipped }
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests }
}
