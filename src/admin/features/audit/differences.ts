export type Difference = { field: string; before: string; after: string }

/** A value as text; nothing for what is not there. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts that hold JSON (accounts that receive money) are compared by their parts too. */
function partsOf(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

/**
 * What a row of the trail says was changed: each part of `before` and `after` that is not the same, then whatever else
 * the row says. A row without both is shown as it is.
 */
export function differencesOf(details: Readonly<Record<string, unknown>>): {
  changed: Difference[]
  rest: { field: string; value: string }[]
} {
  const { before, after, ...others } = details
  const rest = Object.entries(others).map(([field, value]) => ({ field, value: textOf(value) }))
  if (!('before' in details) && !('after' in details)) return { changed: [], rest }
  const [old, present] = [partsOf(before), partsOf(after)]
  if (!isRecord(old) && !isRecord(present))
    return { changed: [{ field: '', before: textOf(old), after: textOf(present) }], rest }
  const [from, to] = [isRecord(old) ? old : {}, isRecord(present) ? present : {}]
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  const changed = fields
    .map((field) => ({ field, before: textOf(from[field]), after: textOf(to[field]) }))
    .filter((one) => one.before !== one.after)
  return { changed, rest }
}
