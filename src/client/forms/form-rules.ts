import * as z from 'zod/mini'
import type { BodyInputOf, Endpoint } from '#contract/endpoint.ts'

export type Values = Record<string, unknown>
export type Name<V> = keyof V & string

/** Error messages of some of the fields. */
export type Messages<V> = Partial<Record<Name<V>, string>>

export type Rules<V extends Values> = {
  start: V
  /** Rules beside those of the endpoint's body; their messages take precedence. */
  check?: (values: V) => Messages<V>
  toBody?: (values: V) => unknown
  /** Fields that are filled in again when the form is opened the next time, under a name of their own; never secrets or codes. */
  draft?: { key: string; names: readonly Name<V>[] }
}

/** The body that is sent: without the form's own fields, as the schema parses it. */
export function bodyOf<E extends Endpoint, V extends Values>(endpoint: E, { toBody }: Rules<V>, values: V) {
  const draft: unknown = toBody ? toBody(values) : values
  const result = z.safeParse(endpoint.body ?? z.unknown(), draft)
  return (result.success ? result.data : draft) as BodyInputOf<E>
}

/** What is wrong with a field, by the rules or by the server's refusal. */
export type Problem = { message: string; isRefused?: true }

/** The problems of the fields of a form. */
export function problemsOf<V extends Values>(
  endpoint: Endpoint,
  { start, check, toBody }: Rules<V>,
  values: V,
) {
  const result = z.safeParse(endpoint.body ?? z.unknown(), toBody ? toBody(values) : values)
  const messages: Record<string, string | undefined> = check?.(values) ?? {}
  const problems: Record<string, Problem> = {}
  for (const name of Object.keys(start)) {
    const message = messages[name] ?? result.error?.issues.find(({ path }) => path[0] === name)?.message
    if (message !== undefined) problems[name] = { message }
  }
  return problems
}
