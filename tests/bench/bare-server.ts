import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Names and values of the headers in turn. */
export type BareAnswer = { status: number; headers: string[]; body: Buffer }

export type Bare = { url: URL; pids: readonly number[]; end(): void }

/** The yardstick: `node:http` and nothing else, in a process of its own, with one constant answer for each path. */
export async function startBare(answers: Record<string, BareAnswer>): Promise<Bare> {
  const file = fileURLToPath(new URL('bare-http.ts', import.meta.url))
  const child = fork(file, { execArgv: [], serialization: 'advanced' })
  child.send(answers)
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    pids: [child.pid as number],
    end: () => child.disconnect(),
  }
}

/** What a portal answers, for the bare server to repeat: the same headers but those that Node adds by itself. */
export async function answerOf(address: URL, asked: RequestInit = {}): Promise<BareAnswer> {
  const answer = await fetch(address, asked)
  if (answer.status !== 200) throw new Error(`${address.pathname} was answered ${answer.status}`)
  const headers = [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)).flat()
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) }
}

/** The same answer with so many bytes. */
export const ofLength = (answer: BareAnswer, bytes: number): BareAnswer => ({
  ...answer,
  headers: answer.headers.with(answer.headers.indexOf('content-length') + 1, String(bytes)),
  body: Buffer.alloc(bytes, answer.body),
})
