import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createServer } from 'node:http'

/** Names and values of the headers in turn. */
export type PlainAnswer = { status: number; headers: string[]; body: Buffer }

export type PlainServer = { url: URL; pids: readonly number[]; end(): void }

/** For comparison: `node:http` and nothing else, in a process of its own, with one constant answer for each path. */
export async function startPlainServer(answers: Record<string, PlainAnswer>): Promise<PlainServer> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [], serialization: 'advanced' })
  child.send(answers)
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    pids: [child.pid as number],
    end: () => child.disconnect(),
  }
}

/** What a portal answers, for the plain server to repeat: the same headers but those that Node adds by itself. */
export async function answerOf(address: URL, init: RequestInit = {}): Promise<PlainAnswer> {
  const answer = await fetch(address, init)
  if (answer.status !== 200) throw new Error(`${address.pathname} was answered ${answer.status}`)
  const headers = [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)).flat()
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) }
}

/** The same answer with so many bytes. */
export const ofLength = (answer: PlainAnswer, bytes: number): PlainAnswer => ({
  ...answer,
  headers: answer.headers.with(answer.headers.indexOf('content-length') + 1, String(bytes)),
  body: Buffer.alloc(bytes, answer.body),
})

/** The forked process: it sends its port when it listens, and ends with its parent. */
function serve(): void {
  let answers: Record<string, PlainAnswer> = {}
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) return response.writeHead(404, { 'content-length': '0' }).end()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  process.on('message', (given: Record<string, PlainAnswer>) => {
    answers = given
    server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
  })
  process.on('disconnect', () => process.exit(0))
}

if (import.meta.main) serve()
