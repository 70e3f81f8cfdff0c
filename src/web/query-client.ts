import {
  QueryCache,
  QueryClient,
  queryOptions,
  type FetchQueryOptions,
  type QueryKey,
} from '@tanstack/react-query'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { newerAnswer } from '#client/answer-age.ts'
import { isTransient, type Call, type CallInput } from '#client/call.ts'
import { isOtherSession } from '#web/browser-call.ts'

const FRESH_MS = 60_000
const RETRY_MS = 1_000

type ClientOptions = { call: Call; onError?: (error: unknown) => void; isServer?: boolean }

/** The cache of all that pages read. A query without a function of its own reads the API call that its key names. */
export function createPortalClient({ call, onError, isServer = false }: ClientOptions): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        if (!meta?.['isSource']) onError?.(error)
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey: [, path, input] }) =>
          call({ method: 'GET', path: path as string }, input as CallInput<Endpoint>),
        staleTime: FRESH_MS,
        structuralSharing: newerAnswer,
        refetchOnWindowFocus: false,
        // What another tab's sign-in has made void is read again by whoever is signed in now.
        retry: (failures, error) =>
          !isServer && failures < 1 && (isTransient(error) || isOtherSession(error)),
        retryDelay: RETRY_MS,
      },
    },
  })
}

/** A read of any type, for lists of them. */
export type AnyQuery = Pick<FetchQueryOptions, 'queryKey' | 'queryFn'>

type Read = Endpoint & { method: 'GET' }
type OpenRead = Read & { access: 'open' }
type ReadInput<E> = Pick<CallInput<E>, 'params' | 'query'>

/*
 * Both take the path of an endpoint of the contract, and of the endpoint itself the type alone: a page does not load the schemas
 * of the answers that it reads.
 */

/** A read that answers everybody the same. */
export const openQuery = <E extends OpenRead>(path: E['path'], input: ReadInput<E> = {}) =>
  queryOptions<AnswerOf<E>>({ queryKey: ['open', path, input] })

/** A read of the signed-in player, forgotten when the player changes. */
export const ownQuery = <E extends Read>(path: E['path'], input: ReadInput<E> = {}) =>
  queryOptions<AnswerOf<E>>({ queryKey: [...ownKey<E>(path), input] })

/** The key of all reads of one path, whatever their input. */
export const ownKey = <E extends Read>(path: E['path']): QueryKey => ['own', path]

export function forgetOwnAnswers(client: QueryClient): void {
  client.removeQueries({ queryKey: ['own'] })
}
