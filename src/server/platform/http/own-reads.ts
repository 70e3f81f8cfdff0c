import type { Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { Transport, TransportReply, TransportRequest } from '#contract/rendered-page.ts'
import type { Log } from '../log/log.ts'
import { tracedCall } from '../tracing/tracing.ts'
import { asRefusal } from './server.ts'
import { validate } from './validate.ts'

export type Asked<E> = { params: ParamsOf<E>; query: QueryOf<E> }

type Read = { pattern: RegExp; endpoint: Endpoint; answer(asked: Asked<Endpoint>): Promise<unknown> }

/**
 * The calls that pages are rendered from, made by the server itself: the schemas and rules of the contract without a
 * request, so without its limits, its log line and its bytes.
 */
export class OwnReads {
  readonly #reads: Read[] = []

  add(endpoint: Endpoint, answer: Read['answer']): void {
    const path = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    this.#reads.push({ pattern: new RegExp(`^/api${path}$`), endpoint, answer })
  }

  transport(log: Log): Transport {
    return (request) => this.#reply(request, log)
  }

  async #reply({ method, url }: TransportRequest, log: Log): Promise<TransportReply> {
    const [path = '', search = ''] = url.split('?')
    const read = this.#reads.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
    // The server has no player to make other calls for.
    if (read === undefined) return { status: 401, text: '' }
    const { endpoint, pattern, answer } = read
    try {
      return await tracedCall({ name: `${method} /api${endpoint.path}`, attributes: {} }, async () => {
        const params = Object.entries(pattern.exec(path)?.groups ?? {}).map(
          ([name, value]) => [name, decodeURIComponent(value)] as const,
        )
        const shown = await answer({
          params: endpoint.params && validate(endpoint.params, Object.fromEntries(params)),
          query: endpoint.query && validate(endpoint.query, Object.fromEntries(new URLSearchParams(search))),
        } as Asked<Endpoint>)
        return { status: endpoint.status ?? 200, text: '', answer: endpoint.answer?.parse(shown) }
      })
    } catch (error) {
      return { status: asRefusal(error, log).status, text: '' }
    }
  }
}
