import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readReport } from '#scripts/test-report.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-report-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function read(report: unknown) {
  const file = join(folder, 'report.json')
  await writeFile(file, JSON.stringify(report))
  return readReport(file)
}

test('a failed test is named with its file and its first lines, and so is a file that does not load', async () => {
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`)
  const report = await read({
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [
      {
        name: 'a.test.ts',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'adds', failureMessages: [] },
          { status: 'failed', fullName: 'subtracts', failureMessages: [lines.join('\n')] },
        ],
      },
      { name: 'b.test.ts', message: 'Cannot find module', assertionResults: [] },
    ],
  })
  expect(report).toMatchObject({ passed: 2, failed: 1 })
  expect(report!.failures).toHaveLength(2)
  expect(report!.failures[0]!.split('\n').slice(0, 3)).toEqual([
    '✗ a.test.ts › subtracts',
    '    line 0',
    '    line 1',
  ])
  expect(report!.failures[0]).not.toContain('line 10')
  expect(report!.failures[1]).toBe('✗ b.test.ts\n    Cannot find module')
})

test('a browser test that failed, was skipped or passed only at the second try has failed', async () => {
  const spec = (title: string, status: string) => ({
    file: 'walk.e2e.ts',
    line: 7,
    title,
    tests: [
      {
        projectName: 'phone',
        status,
        results: [
          { error: status === 'unexpected' ? { message: 'no \u001b[31mbutton\u001b[39m' } : undefined },
        ],
      },
    ],
  })
  const report = await read({
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 1 },
    suites: [
      {
        specs: [spec('whole', 'expected'), spec('broken', 'unexpected')],
        suites: [{ specs: [spec('at times', 'flaky'), spec('left out', 'skipped')] }],
      },
    ],
  })
  expect(report).toMatchObject({ passed: 1, failed: 3 })
  expect(report!.failures).toEqual([
    '✗ [phone] walk.e2e.ts:7 › broken (unexpected)\n    no button',
    '✗ [phone] walk.e2e.ts:7 › at times (flaky)',
    '✗ [phone] walk.e2e.ts:7 › left out (skipped)',
  ])
})

test('without a report there is nothing to count', async () => {
  expect(await readReport(join(folder, 'none.json'))).toBeNull()
})
