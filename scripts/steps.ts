import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { delimiter, join } from 'node:path'
import { forgetLeftOut, readLeftOut } from './left-out.ts'
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
 * Runs steps one after the other with their output shown; a step without a report counts as one test. Steps that stand in a
 * list run at once, and the output of each is shown when it ends. What failed is named again at the end, for readers who
 * have only the last lines of a log.
 */
export async function runSteps(steps: readonly (Step | readonly Step[])[]): Promise<Outcome> {
  const results: Result[] = []
  await forgetLeftOut()
  for (const step of steps) {
    if ('name' in step) results.push(await runStep(step, 'inherit'))
    else results.push(...(await Promise.all(step.map((one) => runStep(one, 'pipe')))))
  }
  const failures = results.flatMap((result) => result.failures)
  const lines = results.map(
    ({ name, failed, seconds }) => `${failed === 0 ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`,
  )
  console.log(`\n${[...failures, ...lines, ...(await readLeftOut())].join('\n')}`)
  const sum = (of: 'passed' | 'failed') => results.reduce((total, result) => total + result[of], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}

type Result = Outcome & { name: string; failures: readonly string[]; seconds: number }

async function runStep(step: Step, output: 'inherit' | 'pipe'): Promise<Result> {
  const start = performance.now()
  if (output === 'inherit') console.log(`\n▶ ${step.name}`)
  if (step.report) await rm(join(root, step.report), { force: true })
  const { code, text } = await run(step, output)
  if (output === 'pipe') console.log(`\n▶ ${step.name}\n${text}`)
  const counted = step.report ? await readReport(join(root, step.report)) : null
  const outcome = counted ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, failures: [] }
  // A runner that fails without a failed test (a crash, a missing browser) has failed all the same.
  const failed = code !== 0 && outcome.failed === 0 ? 1 : outcome.failed
  return { ...outcome, name: step.name, failed, seconds: (performance.now() - start) / 1000 }
}

function run(
  { command: [tool, ...toolArguments], environment }: Step,
  output: 'inherit' | 'pipe',
): Promise<{ code: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; text: string }>()
  const child = spawn(tool, toolArguments, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      ...environment,
      // The pinned Node and tools come first, whatever the machine has.
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  }
  child.on('error', reject)
  child.on('close', (code) => resolve({ code: code ?? 1, text: text.trimEnd() }))
  return promise
}
