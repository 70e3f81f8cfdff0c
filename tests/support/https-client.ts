import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { NGINX_SITE, type Nginx } from './nginx.ts'

export type HttpsRequest = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  /** An address of 127.0.0.0/8 to come from: nginx tells it to the portal, which limits calls by it. */
  from?: string
  signal?: AbortSignal
}

export type HttpsAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

export type HttpsClient = {
  send(request: HttpsRequest): Promise<HttpsAnswer>
  /** The answer as soon as its head is there. */
  open(request: HttpsRequest): Promise<IncomingMessage>
  close(): void
}

/** A client of the portal through nginx, which keeps its connections as browsers do. */
export function httpsClient({ httpsPort, ca }: Pick<Nginx, 'httpsPort' | 'ca'>): HttpsClient {
  const agent = new Agent({ keepAlive: true, ca, servername: NGINX_SITE })
  async function open({ method = 'GET', path, headers, body, from, signal }: HttpsRequest) {
    const sent = request({
      agent,
      host: '127.0.0.1',
      port: httpsPort,
      method,
      path,
      headers: {
        host: `${NGINX_SITE}:${httpsPort}`,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(from === undefined ? {} : { localAddress: from }),
      ...(signal === undefined ? {} : { signal }),
    })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return answer
  }
  return {
    open,
    async send(wanted) {
      const answer = await open(wanted)
      let text = ''
      answer.setEncoding('utf8')
      for await (const chunk of answer) text += chunk as string
      return { status: answer.statusCode ?? 0, headers: answer.headers, text }
    },
    close: () => agent.destroy(),
  }
}
