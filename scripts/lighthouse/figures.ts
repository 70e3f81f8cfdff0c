import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { measure, type Place, type Report, type Request } from './runs.ts'

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

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

/** The figures of a page beside those of a bare page of the same text, measured in turn with it. */
export async function compare(url: string, runs: number, place: Place) {
  const bare = await openYardstick(url)
  const ours: Report[] = []
  const withoutScripts: Report[] = []
  const others: Report[] = []
  try {
    while (ours.length < runs) {
      ours.push(await measure(url, place))
      withoutScripts.push(await measure(url, place, { withoutScripts: true }))
      others.push(await measure(bare.url, place))
    }
    return { portal: await figuresOf(ours, withoutScripts), bare: await figuresOf(others, others) }
  } finally {
    bare.end()
  }
}
