import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { anAddress } from '#tests/support/addresses.ts'

/**
 * Visitors, one for each kind of call, who ask again and again and note how long it took. In a thread of their own:
 * beside five hundred calls in the same thread they would measure themselves.
 */
export type ProbeOrder = { url: string; token: string }
export type Probed = Record<string, number[]>

const PAUSE_MS = 2

/** Each call from another address, so that none is one too many. */
const from = () => ({ 'x-forwarded-for': anAddress() })

const { url, token } = workerData as ProbeOrder
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

let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

const probed: Probed = Object.fromEntries(Object.keys(calls).map((path) => [path, []]))
parentPort?.postMessage('ready')
await Promise.all(
  Object.entries(calls).map(async ([path, call]) => {
    while (!isOver) {
      const start = performance.now()
      const answer = await call()
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
      probed[path]?.push(performance.now() - start)
      await sleep(PAUSE_MS)
    }
  }),
)
parentPort?.postMessage(probed)
