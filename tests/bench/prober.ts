import { setTimeout as sleep } from 'node:timers/promises'
import { askDone, type Request } from '../harness/client.ts'

/**
 * Visitors, one for each kind of call, that repeat it and measure the response times. They run in a separate process:
 * in the process that makes five hundred calls they would measure its own load.
 * It reports when it starts, ends on request, and then prints the measured times.
 */
export type Probed = Record<string, number[]>

const PAUSE_MS = 2

const [url = '', token] = process.argv.slice(2)
const calls: Request[] = [
  { path: '/api/posts' },
  { path: '/home' },
  { path: '/api/auth/verify', body: { access_token: token } },
]

const enough = new AbortController()
process.once('message', () => enough.abort())

/** Each call from another address, so that none is one too many. */
async function askAgainAndAgain(request: Request): Promise<[string, number[]]> {
  const noted: number[] = []
  while (!enough.signal.aborted) {
    noted.push((await askDone(url, request)).ms)
    await sleep(PAUSE_MS)
  }
  return [request.path, noted]
}

const asking = Promise.all(calls.map(askAgainAndAgain))
process.send?.('begun')
const noted: Probed = Object.fromEntries(await asking)
process.send?.(noted)
process.disconnect?.()
