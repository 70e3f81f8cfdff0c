import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

const CONTRACT = fileURLToPath(new URL('../../src/contract/', import.meta.url))

type Where = 'params' | 'query' | 'body'

/** A text field of a call, and an input that contains only that text. */
export type TextField = {
  endpoint: Endpoint
  where: Where
  path: readonly string[]
  schema: z.ZodMiniType
  /** Puts the text in its place; what else the input holds stays. */
  put(text: string, rest?: unknown): unknown
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Some modules export their calls together, as one list or one object. */
function endpointsIn(value: unknown): Endpoint[] {
  if (isEndpoint(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).filter(isEndpoint) : []
}

/** Every call that the contract describes. */
export async function contractEndpoints(): Promise<Endpoint[]> {
  const files = (await readdir(CONTRACT, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const modules = await Promise.all(
    files.map(async (name) => (await import(`${CONTRACT}${name}`)) as Record<string, unknown>),
  )
  return [...new Set(modules.flatMap((module) => Object.values(module)).flatMap(endpointsIn))]
}

/** Every text field of an endpoint's input. */
export function textFields(endpoint: Endpoint): TextField[] {
  return (['params', 'query', 'body'] as const).flatMap((where) => {
    const schema = endpoint[where]
    if (!schema) return []
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
    return placesIn(described).map((path) => ({
      endpoint,
      where,
      path,
      schema,
      put: (text, rest) => placed(path, text, rest),
    }))
  })
}

type Described = {
  type?: string
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
  additionalProperties?: Described | boolean
}

const MANY = '*'

function placesIn(described: Described): string[][] {
  const { type, properties, items, anyOf, additionalProperties } = described
  const below = (name: string, inner: Described) => placesIn(inner).map((path) => [name, ...path])
  return [
    // Whatever is neither named a type nor made of parts takes anything, and so text.
    ...(type === 'string' || (type === undefined && !anyOf && !properties) ? [[]] : []),
    ...(anyOf ?? []).flatMap(placesIn),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => below(name, inner)),
    ...(items ? below(MANY, items) : []),
    ...(typeof additionalProperties === 'object' ? below('key', additionalProperties) : []),
  ]
}

function placed([name, ...path]: readonly string[], text: string, rest: unknown): unknown {
  if (name === undefined) return text
  if (name === MANY) return [placed(path, text, undefined)]
  const before = (rest ?? {}) as Record<string, unknown>
  return { ...before, [name]: placed(path, text, before[name]) }
}
