import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '#tests/support/chromium.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { buildIfNeeded } from './build.ts'

/**
 * `npm run lighthouse [-- path …]`: Lighthouse's mobile preset on the built site, the median of five runs per page.
 * Lighthouse itself (150 MB) is fetched by npm when first asked for, instead of being installed with everything else.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const RUNS = 5
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
  categories: Record<string, { score: number }>
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

async function measure(url: string, folder: string, chromium: string): Promise<Report> {
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
      `--chrome-flags=${FLAGS.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 64 * 1024 * 1024 },
  )
  return JSON.parse(await readFile(file, 'utf8')) as Report
}

function summarise(path: string, reports: Report[]): void {
  const scores = Object.keys((reports[0] as Report).categories).map((name) => {
    const score = median(reports.map((report) => (report.categories[name]?.score ?? 0) * 100))
    return `${name} ${Math.round(score)}`
  })
  const timing = (name: string) =>
    median(reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN))
  console.log(`${path}: ${scores.join(', ')}`)
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
}

const paths = process.argv.slice(2)
const chromium = await findChromium()
await buildIfNeeded()
const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-lighthouse-'))
const portal = await startPortalProcess({
  dataDir: join(folder, 'data'),
  environment: { DEMO: '1', LOG_LEVEL: 'warn' },
})
try {
  for (const path of paths.length > 0 ? paths : ['/home', '/post/1']) {
    const reports: Report[] = []
    for (let run = 0; run < RUNS; run++) reports.push(await measure(portal.url + path, folder, chromium))
    summarise(path, reports)
  }
} finally {
  await portal.end()
  await rm(folder, { recursive: true, force: true })
}
