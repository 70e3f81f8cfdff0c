import { readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'

/** The result in a test runner's JSON report. `failures` names each failed test and the first lines of why. */
export type Report = { passed: number; failed: number; failures: string[] }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[]
  }[]
}
type PlaywrightSpec = {
  file: string
  line: number
  title: string
  tests: { projectName: string; status: string; results: { error?: { message?: string } }[] }[]
}
type PlaywrightSuite = { specs: PlaywrightSpec[]; suites?: PlaywrightSuite[] }
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}

const LINES_OF_A_FAILURE = 8

/**
 * Vitest's or Playwright's JSON report, null when there is none: the runner broke before it wrote one, and its exit code
 * records it. A skipped or flaky browser test counts as failed: nothing is left out silently.
 */
export async function readReport(file: string): Promise<Report | null> {
  let report: VitestReport | PlaywrightReport
  try {
    report = JSON.parse(await readFile(file, 'utf8')) as VitestReport | PlaywrightReport
  } catch {
    return null
  }
  return 'stats' in report ? ofPlaywright(report) : ofVitest(report)
}

function ofVitest({ numPassedTests, numFailedTests, testResults }: VitestReport): Report {
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    // A file that could not be loaded has a message and no failed test.
    if (failed.length === 0) return message ? [failure(name, message)] : []
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages?.[0]))
  })
  return { passed: numPassedTests, failed: numFailedTests, failures }
}

function ofPlaywright({ stats, suites }: PlaywrightReport): Report {
  const failures = specsOf(suites).flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ projectName, status, results }) =>
        failure(
          `[${projectName}] ${file}:${line} › ${title} (${status})`,
          results.find(({ error }) => error)?.error?.message,
        ),
      ),
  )
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped, failures }
}

function specsOf(suites: readonly PlaywrightSuite[]): PlaywrightSpec[] {
  return suites.flatMap((suite) => [...suite.specs, ...specsOf(suite.suites ?? [])])
}

function failure(test: string, message = ''): string {
  const lines = message ? stripVTControlCharacters(message).split('\n').slice(0, LINES_OF_A_FAILURE) : []
  return [`✗ ${test}`, ...lines.map((line) => `    ${line}`)].join('\n')
}
