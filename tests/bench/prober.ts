import { setTimeout as sleep } from 'node:timers/promises'
import { anAddress } from '#tests/support/addresses.ts'

/**
 * Visitors, one for each kind of call, that repeat it and measure the response times. They run in a separate process:
 * in the process that makes five hundred calls they would measure its own load.
 * It reports when it starts, ends on request, and then prints the measured times.
 */
export type Probed = Record<string, number[]>

const PAUSE_MS = 2

const [url, token] = process.argv.slice(2)
/** Each call from another address, so that none is one too many. */
const from = () => ({ 'x-forwarded-for': anAddress() })

const calls: Record<string, () => Promise<Response>> = {
  '/api/posts': () => fetch(`${url}/api/posts`, { headers: from() }),
  '/home': () => fetch(`${url}/home`, { headers: from() }),
  '/api/auth/verify': () =>
    fetch(`${url}/api/auth/verify`, {
      method: 'POST',
      headers: { ...from(), 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: token }),
    }),
}

const enough = new AbortController()
process.once('message', () => enough.abort())

async function askAgainAndAgain(path: string, call: () => Promise<Response>): Promise<[string, number[]]> {
  const noted: number[] = []
  while (!enough.signal.aborted) {
    const start = performance.now()
    const answer = await call()
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    noted.push(performance.now() - start)
    await sleep(PAUSE_MS)
  }
  return [path, noted]
}

const asking = Promise.all(Object.entries(calls).map(([path, call]) => askAgainAndAgain(path, call)))
process.send?.('begun')
const noted: Probed = Object.fromEntries(await asking)
process.send?.(noted)
process.disconnect?.()
