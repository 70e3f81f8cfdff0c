import { fork } from 'node:child_process'
import { nextMessage } from '../harness/fleet.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchOk, type Request } from '../harness/client.ts'

/** Response times by path. */
export type Probed = Record<string, number[]>

/**
 * The response times of visitors and one player while something else is going on. They run in a separate process: in one
 * that makes five hundred calls they would measure its own load.
 */
export async function probe(
  { url, token, pauseMs = PAUSE_MS }: { url: string; token: string; pauseMs?: number },
  meanwhile: () => Promise<void>,
): Promise<Probed> {
  const prober = fork(new URL(import.meta.url), [url, token, String(pauseMs)], { execArgv: [] })
  await nextMessage(prober)
  await meanwhile()
  const probed = nextMessage<Probed>(prober)
  prober.send('enough')
  return await probed
}

const PAUSE_MS = 2

/** The forked process: it reports its start, repeats each call until it gets a message, and sends the measured times. */
async function run(url: string, token: string, pauseMs: number): Promise<void> {
  const calls: Request[] = [
    { path: '/api/posts' },
    { path: '/home' },
    { path: '/api/auth/verify', body: { access_token: token } },
  ]
  const enough = new AbortController()
  process.once('message', () => enough.abort())
  // Each call comes from another address, so that no limit is met.
  const repeat = async (request: Request): Promise<[string, number[]]> => {
    const times: number[] = []
    for (; !enough.signal.aborted; await sleep(pauseMs)) times.push((await fetchOk(url, request)).ms)
    return [request.path, times]
  }
  const repeating = Promise.all(calls.map(repeat))
  process.send?.('begun')
  // Disconnected sooner, a long message would not arrive.
  process.send?.(Object.fromEntries(await repeating), () => process.disconnect?.())
}

if (import.meta.main) await run(process.argv[2] ?? '', process.argv[3] ?? '', Number(process.argv[4]))
