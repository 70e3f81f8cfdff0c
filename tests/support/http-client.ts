import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { NGINX_SITE, type Nginx } from './nginx.ts'

export type ClientRequest = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** An address of 127.0.0.0/8 to come from: nginx passes it on to the portal, which limits calls by it. */
  from?: string
  signal?: AbortSignal
}

export type ClientAnswer = { status: number; headers: http.IncomingHttpHeaders; text: string }

export type HttpClient = {
  send(request: ClientRequest): Promise<ClientAnswer>
  /** The answer as soon as its head is there. */
  open(request: ClientRequest): Promise<http.IncomingMessage>
  close(): void
}

/** A client of the portal through nginx, which reuses its connections as browsers do. */
export function throughNginx({ httpsPort, ca }: Pick<Nginx, 'httpsPort' | 'ca'>): HttpClient {
  const agent = new https.Agent({ keepAlive: true, ca, servername: NGINX_SITE })
  const host = `${NGINX_SITE}:${httpsPort}`
  return clientOf((options) => https.request({ ...options, agent, port: httpsPort }), host, agent)
}

/** A client of one process, as nginx is one. */
export function throughPort(port: number): HttpClient {
  const agent = new http.Agent({ keepAlive: true, timeout: 60_000 })
  return clientOf((options) => http.request({ ...options, agent, port }), `127.0.0.1:${port}`, agent)
}

type Send = (options: http.RequestOptions) => http.ClientRequest

function clientOf(send: Send, host: string, agent: http.Agent): HttpClient {
  async function open({ method = 'GET', path, headers, body, from, signal }: ClientRequest) {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = send({
      host: '127.0.0.1',
      method,
      path,
      headers: { host, ...headers, ...length },
      ...(from === undefined ? {} : { localAddress: from }),
      ...(signal === undefined ? {} : { signal }),
    })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [http.IncomingMessage]
    return answer
  }
  return {
    open,
    send: async (request) => wholeOf(await open(request)),
    close: () => agent.destroy(),
  }
}

/** Rejects when the answer breaks off. */
export async function wholeOf(answer: http.IncomingMessage): Promise<ClientAnswer> {
  let text = ''
  answer.setEncoding('utf8')
  for await (const chunk of answer) text += chunk as string
  return { status: answer.statusCode ?? 0, headers: answer.headers, text }
}
