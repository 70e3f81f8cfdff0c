import type * as z from 'zod/mini'

type Def = {
  type: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  innerType?: z.ZodMiniType
  options?: readonly z.ZodMiniType[]
  items?: readonly z.ZodMiniType[]
  valueType?: z.ZodMiniType
  in?: z.ZodMiniType
  out?: z.ZodMiniType
  getter?: () => z.ZodMiniType
}

export type Text = { path: string; schema: z.ZodMiniType }

/** Every text of a schema, with the names of the fields that lead to it. */
export function textsOf(schema: z.ZodMiniType, path = ''): Text[] {
  const def = schema._zod.def as unknown as Def
  if (def.type === 'string') return [{ path, schema }]
  const below = [
    ...Object.entries(def.shape ?? {}).map(
      ([name, inner]) => [inner, path ? `${path}.${name}` : name] as const,
    ),
    ...[def.element, def.valueType].map((inner) => [inner, `${path}.*`] as const),
    ...[def.innerType, def.in, def.getter?.(), ...(def.options ?? []), ...(def.items ?? [])].map(
      (inner) => [inner, path] as const,
    ),
  ]
  return below.flatMap(([inner, at]) => (inner === undefined ? [] : textsOf(inner, at)))
}
