import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const NOT_COPIED = ['node_modules', '.git', '.cache', 'data', 'test-results', 'screenshots']
/** A guard whose absence lets a test wait for ever is caught by the test's own time-out, long before this. */
const LONGEST_RUN_MS = 600_000

export type TestResult = { file: string; name: string; isPassed: boolean; failure: string }

/** The result of test files; `crash` when no test ran. */
export type TestRun = { results: TestResult[]; crash: string | null }

/** A copy of the working tree to remove guards from; shares node_modules. */
export async function openWorkingCopy(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-mutation-'))
  await cp(root, folder, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

type Replacement = { file: string; text: string; instead: string }

/** Replaces the one place of a file that reads so, for the time of `work`. */
export async function withReplaced<Result>(
  folder: string,
  { file, text, instead }: Replacement,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = join(folder, file)
  const before = await readFile(path, 'utf8')
  if (before.split(text).length !== 2) throw new Error(`${file} does not hold this text once: ${text}`)
  await writeFile(
    path,
    before.replace(text, () => instead),
  )
  try {
    return await work()
  } finally {
    await writeFile(path, before)
  }
}

export async function runTests(
  folder: string,
  { files, isFirstEnough = false }: { files: readonly string[]; isFirstEnough?: boolean },
  environment: Record<string, string>,
): Promise<TestRun> {
  const report = join(await mkdtemp(join(tmpdir(), 'cong-ninja-report-')), 'report.json')
  const options = ['--reporter=json', `--outputFile=${report}`, ...(isFirstEnough ? ['--bail=1'] : [])]
  const output = await runVitest(folder, ['run', ...files, ...options], environment)
  try {
    return readReport(await readFile(report, 'utf8'), folder)
  } catch {
    return { results: [], crash: output.slice(-2_000) }
  } finally {
    await rm(join(report, '..'), { recursive: true, force: true })
  }
}

function runVitest(cwd: string, args: string[], environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
      cwd,
      // What catches a guard may be a case that `npm test` leaves out.
      env: { ...process.env, ALL_CASES: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_RUN_MS,
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}

type Report = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

function readReport(text: string, folder: string): TestRun {
  const { testResults } = JSON.parse(text) as Report
  const results = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: name.replace(`${folder}/`, ''),
        name: fullName,
        isPassed: status === 'passed',
        failure: failureMessages?.[0] ?? '',
      })),
  )
  // A file that fails without a failing test could not be loaded, or its hooks failed.
  const unloaded = testResults.find(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  )
  return { results, crash: unloaded?.message ?? (results.length === 0 ? 'no test ran' : null) }
}
