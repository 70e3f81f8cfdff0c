import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { Transport } from '#contract/rendered-page.ts'
import { CallError, createCall, type Call, type CallInput } from '#client/call.ts'
import { QueryClient } from '#web/query-cache.ts'
import type { Query } from '#web/query-entry.ts'

const calls = new WeakMap<object, Call>()

type ClientOptions = { transport: Transport; onError?: (error: unknown) => void; isServer: boolean }

/** The cache of every page. Queries call the API through the transport their cache was made with. */
export function createPortalClient({ transport, onError, isServer }: ClientOptions): QueryClient {
  const client = new QueryClient({ isServer, isPassing, onError })
  calls.set(client, createCall(transport))
  return client
}

export function callOf(client: object): Call {
  const call = calls.get(client)
  if (!call) throw new Error('A query ran in a client that was not made by createPortalClient')
  return call
}

/** A read of the API, ready for `useQuery`. */
export type ApiQuery<T> = Pick<Query<T>, 'queryKey' | 'queryFn'>

/**
 * Reads from the API, for page loaders and components alike, so that what the server
 * fetched is found again in the browser. Personal answers are forgotten when the player changes.
 */
export function apiQuery<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {},
  { isPersonal = endpoint.access !== 'open' } = {},
): ApiQuery<AnswerOf<E>> {
  return {
    queryKey: [isPersonal ? 'mine' : 'open', endpoint.path, input],
    queryFn: ({ client }) => callOf(client)(endpoint, input),
  }
}

export function readAnswer<T>(client: QueryClient, query: ApiQuery<T>): T | undefined {
  return client.getQueryData<T>(query.queryKey)
}

export function forgetPersonalAnswers(client: QueryClient): void {
  client.removeQueries({ queryKey: ['mine'] })
}

/** No answer, or a failing server: worth another try. A refusal is final. */
function isPassing(error: unknown): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status >= 500
}
