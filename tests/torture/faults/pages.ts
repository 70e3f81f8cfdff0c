import { paths } from '#contract/pages.ts'
import { eventually } from '#tests/support/purchases.ts'
import { pause } from './fault.ts'

/** What everybody may read, also while everything behind the portal is away. */
const PAGES = [paths.home, paths.community, paths.download, paths.tournaments, paths.terms()]
const EVERY_MS = 250
const TIMEOUT_MS = 10_000

export type Visits = { requested: number; slowestMs: number; failed: string[] }

/** Every page at each of the webs, so that each has a copy: again and again where a small pool is busy with the load at that moment. */
export async function visitAll(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    for (const page of PAGES) {
      await eventually(async () => {
        const failure = await failureOf(port, page)
        if (failure !== null) throw new Error(`before any fault ${failure}`)
      }, TIMEOUT_MS)
    }
  }
}

/** Opens the public pages in turn until the signal. A page has to be there whatever is away behind the portal. */
export async function visit(ports: readonly number[], signal: AbortSignal): Promise<Visits> {
  const visits: Visits = { requested: 0, slowestMs: 0, failed: [] }
  for (let turn = 0; !signal.aborted; turn++) {
    const page = PAGES[Math.floor(turn / ports.length) % PAGES.length] as string
    const began = performance.now()
    const failure = await failureOf(ports[turn % ports.length] as number, page)
    visits.requested++
    visits.slowestMs = Math.max(visits.slowestMs, Math.round(performance.now() - began))
    if (failure !== null) visits.failed.push(failure)
    await pause(signal, EVERY_MS)
  }
  return visits
}

async function failureOf(port: number, page: string): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${page}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    if (answer.status !== 200) return `${page} was answered ${answer.status}`
    return text.includes('</html>') ? null : `${page} came without its end`
  } catch (error) {
    return `${page} did not come: ${String((error as Error).cause ?? error)}`
  }
}
