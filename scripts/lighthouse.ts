import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { findChromium } from '#tests/support/chromium.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { buildIfNeeded } from './build.ts'

/**
 * `npm run lighthouse [-- [--runs=N] [--json] path …]`: Lighthouse's mobile preset on the built site, the median of five runs
 * per page, on all open pages when none is named. It fails when a page scores less than it must. With `--json` each figure
 * stands beside that of a bare page of the same text, served by node:http and measured in turn with it.
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
  '/tournament/4',
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

type Request = { transferSize: number; resourceType: string; url: string }

type Report = {
  runtimeError?: { code: string; message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<
    string,
    { score: number | null; numericValue?: number; title: string; details?: { items?: Request[] } }
  >
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

/** The medians of a page, in milliseconds and bytes as they travel. */
function figuresOf(reports: Report[]) {
  const middle = (read: (report: Report) => number) => Math.round(median(reports.map(read)) * 1000) / 1000
  const timing = (name: string) => middle(({ audits }) => audits[name]?.numericValue ?? Number.NaN)
  const requests = ({ audits }: Report) =>
    (audits['network-requests']?.details?.items ?? []).filter(({ url }) => url.startsWith('http'))
  const bytes = (found: Request[]) => found.reduce((sum, { transferSize }) => sum + transferSize, 0)
  return {
    score: middle(({ categories }) => (categories.performance?.score ?? 0) * 100),
    fcp_ms: timing('first-contentful-paint'),
    lcp_ms: timing('largest-contentful-paint'),
    tbt_ms: timing('total-blocking-time'),
    cls: timing('cumulative-layout-shift'),
    requests: middle((report) => requests(report).length),
    bytes: middle((report) => bytes(requests(report))),
    script_bytes: middle((report) =>
      bytes(requests(report).filter(({ resourceType }) => resourceType === 'Script')),
    ),
  }
}

/** A page of the same text and nothing else: no page of that text can be faster. */
async function openYardstick(url: string) {
  const html = await (await fetch(url)).text()
  const text = html.replace(/<(script|style|head)\b.*?<\/\1>|<[^>]*>/gs, ' ').replace(/\s+/g, ' ')
  const page = `<!doctype html><html lang="vi"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title><p>${text}</p></html>`
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The yardstick has no port')
  return { url: `http://127.0.0.1:${address.port}/`, end: () => server.close() }
}

async function compare(url: string, runs: number, place: Place) {
  const bare = await openYardstick(url)
  const ours: Report[] = []
  const others: Report[] = []
  try {
    while (ours.length < runs) {
      ours.push(await measure(url, place))
      others.push(await measure(bare.url, place))
    }
  } finally {
    bare.end()
  }
  return { portal: figuresOf(ours), bare: figuresOf(others) }
}

const { values: options, positionals: paths } = parseArgs({
  options: { runs: { type: 'string', default: RUNS }, json: { type: 'boolean', default: false } },
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
    if (options.json) {
      const figures = await compare(portal.url + path, Number(options.runs), { folder, chromium })
      console.log(JSON.stringify({ path, ...figures }))
      continue
    }
    const reports: Report[] = []
    while (reports.length < Number(options.runs))
      reports.push(await measure(portal.url + path, { folder, chromium }))
    if (!summarise(path, reports)) process.exitCode = 1
  }
} finally {
  await portal.end()
  await rm(folder, { recursive: true, force: true })
}
