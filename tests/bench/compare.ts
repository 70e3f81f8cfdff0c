/** Every figure of two reports that is in both: its place, both values, and the change in percent. */
export function changesOf(before: unknown, present: unknown, place = ''): string[] {
  if (typeof before === 'number' && typeof present === 'number') {
    const change = before === 0 ? '' : ` (${((present / before - 1) * 100).toFixed(0)} %)`
    return [`${place}: ${before} → ${present}${change}`]
  }
  if (typeof before !== 'object' || typeof present !== 'object' || before === null || present === null)
    return []
  return Object.entries(present).flatMap(([name, value]) =>
    changesOf((before as Record<string, unknown>)[name], value, place === '' ? name : `${place} ${name}`),
  )
}
