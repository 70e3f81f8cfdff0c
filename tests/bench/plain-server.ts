import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { throughPort } from '#tests/support/http-client.ts'
import { contentOf, methodOf, type Request } from '../harness/client.ts'
import type { Cleanup } from '../harness/fleet.ts'
import { cpuMs } from '../harness/resources.ts'
import { browserHeaders, type Steady, steadyLoad } from './steady-load.ts'

/** Names and values of the headers in turn. */
type PlainAnswer = { headers: string[]; body: Buffer }

/** Who answers at an address: one process, or one and its children. */
export type Answering = { url: string; pids: readonly number[] }

/**
 * For comparison: `node:http` and nothing else, in a process of its own, which answers each of the requests as the portal
 * does, byte by byte.
 */
export async function startPlainServer(
  cleanup: Cleanup,
  portalUrl: string,
  requests: readonly Request[],
): Promise<Answering> {
  const answers: Record<string, PlainAnswer> = {}
  for (const request of requests) answers[request.path] = await answerOf(portalUrl, request)
  const child = fork(new URL(import.meta.url), { execArgv: [], serialization: 'advanced' })
  cleanup.defer(() => child.disconnect())
  child.send(answers)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, pids: [child.pid as number] }
}

/** The rate of a load at these processes, and the processor time of each answer. */
export async function measureAt({ url, pids }: Answering, load: Omit<Steady, 'url'>) {
  const before = await cpuMs(pids)
  const { perSecond, answered } = await steadyLoad({ ...load, url })
  return { perSecond, cpuMs: ((await cpuMs(pids)) - before) / answered }
}

/** The same headers but those that Node adds by itself. */
export async function answerOf(portalUrl: string, request: Request): Promise<PlainAnswer> {
  const client = throughPort(Number(new URL(portalUrl).port))
  const body = contentOf(request)
  const answer = await client.open({
    method: methodOf(request),
    path: request.path,
    headers: browserHeaders(request),
    ...(body === undefined ? {} : { body }),
  })
  if (answer.statusCode !== 200) throw new Error(`${request.path} was answered ${answer.statusCode}`)
  const content = await buffer(answer)
  client.close()
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    /^(date|connection|keep-alive)$/.test(name) ? [] : values.flatMap((value) => [name, value]),
  )
  return { headers, body: content }
}

/** The forked process: it sends its port when it listens, and ends with its parent. */
function serve(): void {
  let answers: Record<string, PlainAnswer> = {}
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) return response.writeHead(404, { 'content-length': '0' }).end()
    response.writeHead(200, answer.headers).end(answer.body)
  })
  process.on('message', (given: Record<string, PlainAnswer>) => {
    answers = given
    server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
  })
  process.on('disconnect', () => process.exit(0))
}

if (import.meta.main) serve()
