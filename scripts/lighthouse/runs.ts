import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHROMIUM_FLAGS } from '#tests/support/chromium.ts'

/** Lighthouse itself (150 MB) is fetched by npm when first asked for, instead of being installed with everything else. */
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
export type Place = { folder: string; chromium: string }

type Run = { withoutScripts?: boolean }

/** One run of the mobile preset. */
export async function measure(url: string, place: Place, how: Run = {}): Promise<Report> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await run(url, place, how)
    } catch (error) {
      if (repeat === REPEATS_MAX) throw error
      console.log(`  a run at ${url} came to nothing and is repeated: ${(error as Error).message}`)
    }
  }
}

async function run(
  url: string,
  { folder, chromium }: Place,
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
