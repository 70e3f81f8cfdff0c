import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * A visitor who asks for one thing after the other and notes how long each took. In a thread of its own: beside five
 * hundred calls in the same thread it would measure itself.
 */
export type ProbeOrder = { url: string; token: string }
export type Probed = Record<string, number[]>

const PAUSE_MS = 5

const { url, token } = workerData as ProbeOrder
const calls: Record<string, () => Promise<Response>> = {
  '/api/posts': () => fetch(`${url}/api/posts`),
  '/home': () => fetch(`${url}/home`),
  '/api/auth/verify': () =>
    fetch(`${url}/api/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: token }),
    }),
}

let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

const probed: Probed = Object.fromEntries(Object.keys(calls).map((path) => [path, []]))
parentPort?.postMessage('ready')
while (!isOver) {
  for (const [path, call] of Object.entries(calls)) {
    const start = performance.now()
    const answer = await call()
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    probed[path]?.push(performance.now() - start)
    await sleep(PAUSE_MS)
  }
}
parentPort?.postMessage(probed)
