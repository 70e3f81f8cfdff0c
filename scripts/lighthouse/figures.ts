import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median } from '#tests/harness/numbers.ts'
import { CHROMIUM_FLAGS } from '#tests/support/chromium.ts'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

/** Lighthouse itself (150 MB) is fetched by npm at its first use, instead of being installed with everything else. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
/** Chromium sometimes records no trace; such a run is repeated. */
const REPEATS_MAX = 3
const FLAGS = ['--headless', '--no-sandbox', ...CHROMIUM_FLAGS]

export type Request = { transferSize: number; resourceType: string; url: string }

export type Report = {
  runtimeError?: { code: string; message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<
    string,
    { score: number | null; numericValue?: number; title: string; details?: { items?: Request[] } }
  >
}

/** Where a run writes its report, and the browser it is made with. */
export type Browser = { folder: string; chromium: string }

type Run = { withoutScripts?: boolean }

/** One run of the mobile preset. */
export async function measure(url: string, browser: Browser, how: Run = {}): Promise<Report> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await run(url, browser, how)
    } catch (error) {
      if (repeat === REPEATS_MAX) throw error
      console.log(`  a run at ${url} came to nothing and is repeated: ${(error as Error).message}`)
    }
  }
}

async function run(
  url: string,
  { folder, chromium }: Browser,
  { withoutScripts = false }: Run,
): Promise<Report> {
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
      ...(withoutScripts ? [`--blocked-url-patterns=*/static/js/*`] : []),
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 64 * 1024 * 1024 },
  )
  const report = JSON.parse(await readFile(file, 'utf8')) as Report
  if (report.runtimeError) throw new Error(`${report.runtimeError.code}: ${report.runtimeError.message}`)
  if (typeof report.categories.performance?.score !== 'number') throw new Error('no score for performance')
  return report
}

export type Figures = {
  score: number
  fcp_ms: number
  lcp_ms: number
  tbt_ms: number
  /** More than the same page has with its scripts blocked. */
  tbt_of_scripts_ms: number
  cls: number
  requests: number
  bytes: number
  script_bytes: number
  script_gzip_bytes: number
}

/** The medians of a page: milliseconds, bytes as they travel, and its scripts as gzip would send them. */
export async function figuresOf(
  reports: readonly Report[],
  withoutScripts: readonly Report[],
): Promise<Figures> {
  const middle = (read: (report: Report) => number, of = reports) =>
    Math.round(median(of.map(read)) * 1000) / 1000
  const timing = (name: string, of = reports) =>
    middle(({ audits }) => audits[name]?.numericValue ?? Number.NaN, of)
  const tbt_ms = timing('total-blocking-time')
  const bytes = (found: Request[]) => found.reduce((sum, { transferSize }) => sum + transferSize, 0)
  const zipped = await gzipSizes(new Set(reports.flatMap(scriptsOf).map(({ url }) => url)))
  return {
    score: middle(({ categories }) => (categories.performance?.score ?? 0) * 100),
    fcp_ms: timing('first-contentful-paint'),
    lcp_ms: timing('largest-contentful-paint'),
    tbt_ms,
    tbt_of_scripts_ms: tbt_ms - timing('total-blocking-time', withoutScripts),
    cls: timing('cumulative-layout-shift'),
    requests: middle((report) => requestsOf(report).length),
    bytes: middle((report) => bytes(requestsOf(report))),
    script_bytes: middle((report) => bytes(scriptsOf(report))),
    script_gzip_bytes: middle((report) =>
      scriptsOf(report).reduce((sum, { url }) => sum + (zipped.get(url) ?? 0), 0),
    ),
  }
}

const requestsOf = ({ audits }: Report) =>
  (audits['network-requests']?.details?.items ?? []).filter(({ url }) => url.startsWith('http'))

const scriptsOf = (report: Report) =>
  requestsOf(report).filter(({ resourceType }) => resourceType === 'Script')

async function gzipSizes(urls: ReadonlySet<string>): Promise<Map<string, number>> {
  const sizes = [...urls].map(async (url) => {
    const script = Buffer.from(await (await fetch(url)).arrayBuffer())
    return [url, gzipSync(script, { level: 9 }).length] as const
  })
  return new Map(await Promise.all(sizes))
}

/** A page of the same text and nothing else: no page of that text can be faster. */
async function openPlainPage(url: string) {
  const html = await (await fetch(url)).text()
  const text = html.replace(/<(script|style|head)\b.*?<\/\1>|<[^>]*>/gs, ' ').replace(/\s+/g, ' ')
  const page = `<!doctype html><html lang="vi"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title><p>${text}</p></html>`
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The plain page has no port')
  return { url: `http://127.0.0.1:${address.port}/`, end: () => server.close() }
}

/** The figures of a page beside those of a plain page of the same text, measured in turn with it. */
export async function compare(url: string, runs: number, browser: Browser) {
  const bare = await openPlainPage(url)
  const ours: Report[] = []
  const withoutScripts: Report[] = []
  const others: Report[] = []
  try {
    while (ours.length < runs) {
      ours.push(await measure(url, browser))
      withoutScripts.push(await measure(url, browser, { withoutScripts: true }))
      others.push(await measure(bare.url, browser))
    }
    return { portal: await figuresOf(ours, withoutScripts), bare: await figuresOf(others, others) }
  } finally {
    bare.end()
  }
}
