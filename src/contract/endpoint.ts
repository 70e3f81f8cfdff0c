import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call: anybody; a player's session; a session of the operator console (`console`: also one that is locked for
 * being idle) of somebody with any permission (`operator`), or with the named one (of several, any one).
 */
export type Access = 'open' | 'user' | 'console' | 'operator' | { permission: string | readonly string[] }

type Schema = z.ZodMiniType

/** A call that takes a form (multipart) in place of JSON: its texts are the body, beside them files may come. */
export type FormShape = {
  /** The field that carries the file, or each of several. */
  file: string
  /** One when absent. */
  filesMax?: number
  /** Of each. */
  fileBytesMax: number
  /** The message for a larger file. */
  fileTooLarge: string
}

/**
 * One call of the API, as browser and server both know it. `path` is relative to `/api` and names its
 * parameters in braces (`/posts/{id}`). `errors` lists the refusals a caller has to expect besides
 * VALIDATION, UNAUTHENTICATED and RATE_LIMITED, which any call may give, and those of an idempotency key.
 */
export type Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  access: Access
  summary: string
  params?: Params
  query?: Query
  body?: Body
  form?: FormShape
  answer?: Answer
  /** The call answers with a file of this media type, which its handler sends. */
  file?: string
  /** The answer comes as server-sent events: the data of each is one answer. */
  isStream?: boolean
  /** Headers the caller has to send, such as a signature, each with what it holds. */
  headers?: Readonly<Record<string, string>>
  /** Success status of an answer, by default 200; without one it is 204. */
  status?: number
  /** The act may wait for a second person: then the status is 202 and the answer `{ proposal }`, of several `{ proposals }`. */
  mayWait?: boolean
  /** The body names the session that is meant; one in the header counts for nothing and is not looked up. */
  isOfBody?: boolean
  /** The call honours the header `Idempotency-Key`, and may be refused with KEY_REUSED and IN_PROGRESS. */
  isIdempotent?: boolean
  errors?: readonly ErrorCode[]
}

// The mark lets the bundler leave out the endpoints, and their schemas, that a page does not call.
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  const Method extends Endpoint['method'],
  const Path extends string,
  const Who extends Access,
  Params extends Schema = never,
  Query extends Schema = never,
  Body extends Schema = never,
  Answer extends Schema = never,
>(
  method: Method,
  path: Path,
  access: Who,
  rest: Omit<Endpoint<Params, Query, Body, Answer>, 'method' | 'path' | 'access'>,
): Endpoint<Params, Query, Body, Answer> & { method: Method; path: Path; access: Who } {
  return { method, path, access, ...rest }
}

type OutputOf<S> = [S] extends [never] ? undefined : S extends Schema ? z.output<S> : undefined
type InputOf<S> = [S] extends [never] ? undefined : S extends Schema ? z.input<S> : undefined

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _A> ? OutputOf<P> : never
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _A> ? OutputOf<Q> : never
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _A> ? OutputOf<B> : never
export type AnswerOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer A> ? OutputOf<A> : never
export type QueryInputOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _A> ? InputOf<Q> : never
export type BodyInputOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _A> ? InputOf<B> : never
