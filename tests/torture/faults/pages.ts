import { paths } from '#contract/pages.ts'
import { eventually } from '#tests/support/purchases.ts'
import { fetchAnswer } from '../../harness/client.ts'
import { pause, type FaultRun } from './fault.ts'

/** What everybody may read, also while everything behind the portal is away. */
const PAGES = [paths.home, paths.community, paths.download, paths.tournaments, paths.terms()]
const EVERY_MS = 250
const TIMEOUT_MS = 10_000

/**
 * Opens the public pages in turn at each of the webs while `work` goes on: a page has to be there whatever is away behind the
 * portal. The time of the fault begins when each web has a copy of every page.
 */
export async function whilePagesAreRead(run: FaultRun, work: () => Promise<unknown>): Promise<void> {
  const urls = run.world.webs.map(({ url }) => url)
  await visitAll(urls)
  run.begin()
  const over = new AbortController()
  const visiting = visit(run, urls, over.signal)
  await work().finally(() => over.abort())
  await visiting
}

/** Again and again where a small pool is busy with the load at that moment. */
async function visitAll(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    for (const page of PAGES) {
      await eventually(async () => {
        const failure = await failureOf(url, page)
        if (failure !== null) throw new Error(`before any fault ${failure}`)
      }, TIMEOUT_MS)
    }
  }
}

async function visit({ note, wrong }: FaultRun, urls: readonly string[], signal: AbortSignal): Promise<void> {
  let failed = 0
  let slowestMs = 0
  for (let turn = 0; !signal.aborted; turn++) {
    const page = PAGES[Math.floor(turn / urls.length) % PAGES.length] as string
    const began = performance.now()
    const failure = await failureOf(urls[turn % urls.length] as string, page)
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - began))
    if (failure !== null) {
      failed++
      wrong(failure)
    }
    note('pages opened', turn + 1)
    note('pages not shown', failed)
    note('slowest page, ms', slowestMs)
    await pause(signal, EVERY_MS)
  }
}

async function failureOf(url: string, path: string): Promise<string | null> {
  try {
    const { status, text } = await fetchAnswer(url, { path }, TIMEOUT_MS)
    if (status !== 200) return `${path} was answered ${status}`
    return text.includes('</html>') ? null : `${path} came without its end`
  } catch (error) {
    return `${path} did not come: ${String((error as Error).cause ?? error)}`
  }
}
