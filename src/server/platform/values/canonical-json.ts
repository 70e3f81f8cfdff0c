/** One text for one value, whatever order its fields came in: what is hashed must not depend on who wrote it down. */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) as string | undefined
  return text ?? 'null'
}
