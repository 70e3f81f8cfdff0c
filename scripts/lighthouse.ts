import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { findChromium } from '#tests/support/chromium.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { buildIfNeeded } from './build.ts'

/**
 * `npm run lighthouse [-- [--runs=N] path …]`: Lighthouse's mobile preset on the built site, the median of five runs
 * per page, on all open pages when none is named. It fails when a page scores less than it must.
 * Lighthouse itself (150 MB) is fetched by npm when first asked for, instead of being installed with everything else.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const RUNS = '5'
/** Chromium sometimes records no trace; such a run is repeated. */
const REPEATS_MAX = 3
const OPEN_PAGES = [
  '/home',
  '/post/1',
  '/category/1',
  '/community',
  '/download',
  '/download/ios',
  '/exchange',
  '/gem-calculator',
  '/tournaments',
  '/tournament/1',
  '/404',
]
const SCORES_MIN: Record<string, number> = { performance: 95, accessibility: 100 }
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

type Report = {
  runtimeError?: { code: string; message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

type Place = { folder: string; chromium: string }

async function measure(url: string, place: Place): Promise<Report> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await run(url, place)
    } catch (error) {
      if (repeat === REPEATS_MAX) throw error
      console.log(`  a run at ${url} came to nothing and is repeated: ${(error as Error).message}`)
    }
  }
}

async function run(url: string, { folder, chromium }: Place): Promise<Report> {
  const file = join(folder, 'report.json')
  await promisify(execFile)(
    'npm',
    [
      'exec',
      '--yes',
      `--package=${LIGHTHOUSE}`,
      '--',
      'lighthouse',
      url,
      '--output=json',
      `--output-path=${file}`,
      '--quiet',
      // The page for what does not exist is a page too.
      '--ignore-status-code',
      `--chrome-flags=${FLAGS.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 64 * 1024 * 1024 },
  )
  const report = JSON.parse(await readFile(file, 'utf8')) as Report
  if (report.runtimeError) throw new Error(`${report.runtimeError.code}: ${report.runtimeError.message}`)
  if (typeof report.categories.performance?.score !== 'number') throw new Error('no score for performance')
  return report
}

/** Prints what was measured; false when a score is too low. */
function summarise(path: string, reports: Report[]): boolean {
  const scores = Object.keys((reports[0] as Report).categories).map((name) => {
    const score = Math.round(median(reports.map((report) => (report.categories[name]?.score ?? 0) * 100)))
    return { name, score, isEnough: score >= (SCORES_MIN[name] ?? 0) }
  })
  const timing = (name: string) =>
    median(reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN))
  const words = scores.map(({ name, score, isEnough }) => `${name} ${score}${isEnough ? '' : ' (too low)'}`)
  console.log(`${path}: ${words.join(', ')}`)
  console.log(
    `  FCP ${Math.round(timing('first-contentful-paint'))} ms, LCP ${Math.round(timing('largest-contentful-paint'))} ms, ` +
      `TBT ${Math.round(timing('total-blocking-time'))} ms, CLS ${timing('cumulative-layout-shift').toFixed(3)}, ` +
      `${Math.round(timing('total-byte-weight') / 1024)} KB`,
  )
  const missed = new Set(
    reports.flatMap(({ audits }) =>
      Object.values(audits)
        .filter(({ score }) => score !== null && score < 0.9)
        .map(({ title }) => title),
    ),
  )
  for (const title of missed) console.log(`  - ${title}`)
  return scores.every(({ isEnough }) => isEnough)
}

const { values: options, positionals: paths } = parseArgs({
  options: { runs: { type: 'string', default: RUNS } },
  allowPositionals: true,
})
const chromium = await findChromium()
await buildIfNeeded()
const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-lighthouse-'))
const portal = await startPortalProcess({
  dataDir: join(folder, 'data'),
  environment: { DEMO: '1', LOG_LEVEL: 'warn' },
})
try {
  for (const path of paths.length > 0 ? paths : OPEN_PAGES) {
    const reports: Report[] = []
    while (reports.length < Number(options.runs))
      reports.push(await measure(portal.url + path, { folder, chromium }))
    if (!summarise(path, reports)) process.exitCode = 1
  }
} finally {
  await portal.end()
  await rm(folder, { recursive: true, force: true })
}
