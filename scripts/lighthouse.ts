import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '#tests/support/chromium.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { buildIfNeeded } from './build.ts'
import { median } from '#tests/harness/numbers.ts'
import { compare, figuresOf, measure, type Report } from './lighthouse/figures.ts'
import { MEASURED_PAGES, missedGoals } from './lighthouse/goals.ts'
import { readOptions } from './tool-options.ts'

const RUNS = 5
const USAGE = `npm run lighthouse [-- [--runs N] [--json] <path> …]

Lighthouse's mobile preset on the built site, the median of ${RUNS} runs per page, on all open pages when none is named.
Exit code 1 when a page misses a goal (scripts/lighthouse/goals.ts).
  --runs N   so many runs per page, and as many with its scripts blocked
  --json     each figure beside that of a bare page of the same text, served by node:http and measured in turn with it`
const ALL_PAGES = [
  ...MEASURED_PAGES,
  '/category/1',
  '/community',
  '/download/ios',
  '/exchange',
  '/tournaments',
  '/tournament/1',
  '/404',
]

/** Prints what was measured; false when a goal is missed. */
async function summarise(path: string, reports: Report[], withoutScripts: Report[]): Promise<boolean> {
  const scores = Object.keys((reports[0] as Report).categories).map((name) => {
    const score = Math.round(median(reports.map((report) => (report.categories[name]?.score ?? 0) * 100)))
    return { name, score }
  })
  const figures = await figuresOf(reports, withoutScripts)
  console.log(`${path}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`)
  console.log(`  ${JSON.stringify(figures)}`)
  const missed = missedGoals(path, figures)
  if (scores.some(({ name, score }) => name === 'accessibility' && score < 100))
    missed.push('accessibility is less than 100')
  for (const goal of missed) console.log(`  MISSED: ${goal}`)
  const hints = new Set(
    reports.flatMap(({ audits }) =>
      Object.values(audits)
        .filter(({ score }) => score !== null && score < 0.9)
        .map(({ title }) => title),
    ),
  )
  for (const title of hints) console.log(`  - ${title}`)
  return missed.length === 0
}

const { values, words: paths } = readOptions({
  usage: USAGE,
  options: { runs: 'number', json: 'flag' },
  words: true,
})
const runs = values.runs ?? RUNS
const chromium = await findChromium()
await buildIfNeeded()
const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-lighthouse-'))
const portal = await startPortalProcess({
  dataDir: join(folder, 'data'),
  environment: { DEMO: '1', LOG_LEVEL: 'warn' },
})
try {
  for (const path of paths.length > 0 ? paths : ALL_PAGES) {
    if (values.json) {
      const figures = await compare(portal.url + path, runs, { folder, chromium })
      const missed = missedGoals(path, figures.portal)
      console.log(JSON.stringify({ path, ...figures, missed }))
      if (missed.length > 0) process.exitCode = 1
      continue
    }
    const reports: Report[] = []
    const blocked: Report[] = []
    while (reports.length < runs) {
      reports.push(await measure(portal.url + path, { folder, chromium }))
      blocked.push(await measure(portal.url + path, { folder, chromium }, { withoutScripts: true }))
    }
    if (!(await summarise(path, reports, blocked))) process.exitCode = 1
  }
} finally {
  await portal.end()
  await rm(folder, { recursive: true, force: true })
}
