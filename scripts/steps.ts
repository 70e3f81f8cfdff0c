import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { delimiter, join } from 'node:path'
import { readReport } from './test-report.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export type Step = {
  name: string
  /** A tool of node_modules/.bin and its arguments. */
  command: readonly [string, ...string[]]
  environment?: Record<string, string>
  /** Where the step's test runner leaves its JSON report, relative to the checkout; counted when it is there. */
  report?: string
}

export type Outcome = { passed: number; failed: number }

/**
 * Runs steps one after the other with their output shown; a step without a report counts as one test. What failed is
 * named again at the end, for readers who have only the last lines of a log.
 */
export async function runSteps(steps: readonly Step[]): Promise<Outcome> {
  const total: Outcome = { passed: 0, failed: 0 }
  const lines: string[] = []
  const failures: string[] = []
  for (const step of steps) {
    const start = performance.now()
    console.log(`\n▶ ${step.name}`)
    if (step.report) await rm(join(root, step.report), { force: true })
    const code = await run(step)
    const counted = step.report ? await readReport(join(root, step.report)) : null
    const outcome = counted ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
    // A runner that fails without a failed test (a crash, a missing browser) has failed all the same.
    if (code !== 0 && outcome.failed === 0) outcome.failed = 1
    total.passed += outcome.passed
    total.failed += outcome.failed
    failures.push(...(counted?.failures ?? []))
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    lines.push(`${outcome.failed === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)`)
  }
  console.log(`\n${[...failures, ...lines].join('\n')}`)
  return total
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
