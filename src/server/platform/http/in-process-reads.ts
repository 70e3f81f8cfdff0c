import type { Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts'
import type { Transport, TransportReply, TransportRequest } from '#contract/rendered-page.ts'
import type { Log } from '../log/log.ts'
import { tracedCall } from '../tracing/tracing.ts'
import { asRefusal } from './server.ts'
import { validate, validateQuery } from './validate.ts'

export type ReadInput<E> = { params: ParamsOf<E>; query: QueryOf<E> }

/** `answer`: reduced to the endpoint's schema. */
type Read = { pattern: RegExp; endpoint: Endpoint; answer(input: ReadInput<Endpoint>): Promise<unknown> }

type Known = Pick<Read, 'endpoint' | 'answer'> & { input: ReadInput<Endpoint> }

/** The addresses of what a page reads are few, and more of posts. */
const KNOWN_MAX = 1_000

/**
 * The calls that pages are rendered from, made by the server itself: the schemas and rules of the contract without a
 * request, so without its limits, its log line and its bytes.
 */
export class InProcessReads {
  readonly #reads: Read[] = []
  readonly #known = new Map<string, Known>()

  add(endpoint: Endpoint, answer: Read['answer']): void {
    const path = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    this.#reads.push({ pattern: new RegExp(`^/api${path}$`), endpoint, answer })
  }

  transport(log: Log): Transport {
    return (request) => this.#reply(request, log)
  }

  async #reply({ method, url }: TransportRequest, log: Log): Promise<TransportReply> {
    try {
      const found = this.#find(method, url)
      // The server has no player to make other calls for.
      if (found === undefined) return { status: 401, text: '' }
      const { endpoint, answer, input } = found
      return await tracedCall({ name: `${method} /api${endpoint.path}`, attributes: {} }, async () => ({
        status: endpoint.status ?? 200,
        text: '',
        answer: await answer(input),
      }))
    } catch (error) {
      return { status: asRefusal(error, log).status, text: '' }
    }
  }

  /** Each address is parsed once. */
  #find(method: string, url: string): Known | undefined {
    const known = this.#known.get(url)
    if (known?.endpoint.method === method) return known
    const [path = '', search = ''] = url.split('?')
    const read = this.#reads.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
    if (read === undefined) return undefined
    const { endpoint, pattern, answer } = read
    const params = Object.entries(pattern.exec(path)?.groups ?? {}).map(
      ([name, value]) => [name, decodeURIComponent(value)] as const,
    )
    const input = {
      params: endpoint.params && validate(endpoint.params, Object.fromEntries(params)),
      query: endpoint.query && validateQuery(endpoint.query, Object.fromEntries(new URLSearchParams(search))),
    } as ReadInput<Endpoint>
    const found = { endpoint, answer, input }
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(url, found)
    return found
  }
}
