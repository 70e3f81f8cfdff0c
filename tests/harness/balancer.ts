import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  throughNginx,
  throughPort,
  wholeOf,
  type ClientAnswer,
  type ClientRequest,
} from '#tests/support/http-client.ts'
import { startNginx, type Nginx } from '#tests/support/nginx.ts'

/** One request of a client, as the client saw it. */
export type Attempt = {
  from: string
  method: string
  path: string
  startedAt: number
  endedAt: number
  /** Null: no whole answer. */
  status: number | null
  /** The code of a refusal; empty for other answers. */
  code: string
  /** Finds a refusal in the portal's log; empty for other answers. */
  requestId: string
  /** The port of the process that gave, or failed to give, the answer; null where the balancer tried none. */
  via: number | null
}

type Opened = { answer: IncomingMessage | null; via: number | null }

/** What stands between clients and the web processes. */
export type Balancer = {
  send(request: ClientRequest & { from: string }): Promise<ClientAnswer & { via: number | null }>
  /** A stream; no answer when no process gives one. */
  open(request: ClientRequest & { from: string }): Promise<Opened>
  /** How long the balancer may take no notice of a process that is there again. */
  pauseMs: number
  /** Fills in `via` of those attempts for which only the balancer's own log knows it. */
  trace(attempts: readonly Attempt[]): Promise<void>
  close(): Promise<void>
}

const NOBODY: ClientAnswer = { status: 502, headers: {}, text: '' }

export type NginxBalancer = Balancer & { publicUrl: string; nginx: Nginx }

/** nginx with the files of deploy/. */
export async function nginxBalancer(webPorts: readonly number[]): Promise<NginxBalancer> {
  const nginx = await startNginx({ webPorts })
  return { ...balancerOf(nginx), nginx }
}

/** An nginx of this machine with a file of the project. */
export function balancerOf(
  nginx: Pick<Nginx, 'httpsPort' | 'ca' | 'log' | 'end'>,
): Balancer & { publicUrl: string } {
  const client = throughNginx(nginx)
  const placed = (request: ClientRequest & { from: string }) => ({
    ...request,
    from: request.from.replace(/^10\./, '127.'),
  })
  return {
    publicUrl: `https://portal.test:${nginx.httpsPort}`,
    // docs/runbooks/upgrade.md.
    pauseMs: 10_000,
    send: async (request) => ({ ...(await client.send(placed(request))), via: null }),
    open: async (request) => ({ answer: await client.open(placed(request)), via: null }),
    async trace(attempts) {
      // It writes a line when the answer has gone out.
      await sleep(500)
      const lines = (await nginx.log()).map(readLine).filter((line) => line !== null)
      for (const attempt of attempts) attempt.via = lines.find((line) => isOf(line, attempt))?.via ?? null
    },
    async close() {
      client.close()
      await nginx.end()
    },
  }
}

type Line = { from: string; at: number; method: string; path: string; status: number; via: number | null }

const LINE = /^(\S+) \[([^\]]+)\] "(\S+) ([^"]*)" (\d{3}) \d+ [\d.]+ (.*) \S+ \S+$/

function readLine(line: string): Line | null {
  const found = LINE.exec(line)
  if (!found) return null
  const [, from = '', time = '', method = '', path = '', status = '', upstreams = ''] = found
  const last = upstreams.split(/ ?[,:] (?=\S)/).at(-1) ?? ''
  const port = /^127\.0\.0\.1:(\d+)$/.exec(last)?.[1]
  return {
    from: from.replace(/^127\./, '10.'),
    at: Date.parse(time),
    method,
    path,
    status: Number(status),
    via: port === undefined ? null : Number(port),
  }
}

/** The log has whole seconds. A client has one request under way at a time, but for those without an address. */
function isOf(line: Line, attempt: Attempt): boolean {
  const isSame =
    line.from === attempt.from &&
    line.method === attempt.method &&
    line.path === attempt.path.split('?')[0] &&
    (attempt.status === null || line.status === attempt.status)
  return isSame && line.at > attempt.startedAt - 1_000 && line.at < attempt.endedAt + 1_500
}

/**
 * The rules of deploy/nginx in a few lines, for machines without nginx: processes take turns; what was refused or may be
 * repeated goes to the other one. None is left alone for having failed, so there is no pause.
 */
export function plainBalancer(webPorts: readonly number[]): Balancer {
  const peers = webPorts.map((port) => ({ port, client: throughPort(port) }))
  let turn = 0

  async function open({ from, ...request }: ClientRequest & { from: string }): Promise<Opened> {
    const isRead = (request.method ?? 'GET') === 'GET'
    const headers = { ...request.headers, 'x-forwarded-for': from, 'x-retries-502': 'GET' }
    const first = turn++ % peers.length
    let via: number | null = null
    for (const { port, client } of [...peers.slice(first), ...peers.slice(0, first)]) {
      via = port
      try {
        const answer = await client.open({ ...request, headers })
        if (answer.statusCode !== 502 || !isRead) return { answer, via }
        answer.resume()
      } catch (error) {
        const isUnsent = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
        if (!isUnsent && !isRead) break
      }
    }
    return { answer: null, via }
  }

  return {
    open,
    pauseMs: 0,
    async send(request) {
      const { answer, via } = await open(request)
      return { ...(answer === null ? NOBODY : await wholeOf(answer)), via }
    },
    trace: async () => {},
    close: async () => {
      for (const { client } of peers) client.close()
    },
  }
}
