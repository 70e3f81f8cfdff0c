import * as z from 'zod/mini'
import type { BodyInputOf, Endpoint } from '#contract/endpoint.ts'

export type Values = Record<string, unknown>
export type Name<V> = keyof V & string

/** A sentence about some of the fields. */
export type Said<V> = Partial<Record<Name<V>, string>>

export type Rules<V extends Values> = {
  start: V
  /** Rules beside those of the endpoint's body, and sentences that go before its own. */
  check?: (values: V) => Said<V>
  toBody?: (values: V) => unknown
}

/** What is sent: without what only the form knows, and as the schema writes it. */
export function bodyOf<E extends Endpoint, V extends Values>(endpoint: E, { toBody }: Rules<V>, values: V) {
  const draft: unknown = toBody ? toBody(values) : values
  const judged = z.safeParse(endpoint.body ?? z.unknown(), draft)
  return (judged.success ? judged.data : draft) as BodyInputOf<E>
}

/** What is wrong with the fields of a form, as the library keeps it. */
export function problemsOf<V extends Values>(
  endpoint: Endpoint,
  { start, check, toBody }: Rules<V>,
  values: V,
) {
  const judged = z.safeParse(endpoint.body ?? z.unknown(), toBody ? toBody(values) : values)
  const said: Record<string, string | undefined> = check?.(values) ?? {}
  const problems: Record<string, { type: string; message: string }> = {}
  for (const name of Object.keys(start)) {
    const message = said[name] ?? judged.error?.issues.find(({ path }) => path[0] === name)?.message
    if (message !== undefined) problems[name] = { type: 'rule', message }
  }
  return problems
}
