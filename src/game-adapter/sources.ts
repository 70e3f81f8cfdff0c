import { quoted } from './database.ts'
import type { Source } from './presets.ts'
import { readNumber, readSmallNumber } from './values.ts'

export const columnOf = (source: Source): string => (typeof source === 'string' ? source : source.column)

export const isInJson = (source: Source): boolean => typeof source !== 'string' && source.path !== undefined

/** A value inside JSON as a text; null where it is missing, no number where there is no JSON. */
function textIn(column: string, path: string): string {
  // JSON functions refuse what is no JSON, and other character sets than this one.
  const json = `CONVERT(${quoted(column)} USING utf8mb4)`
  return `IF(JSON_VALID(${json}), JSON_UNQUOTE(JSON_EXTRACT(${json}, '${path}')), IF(${quoted(column)} IS NULL, NULL, '?'))`
}

/** What a statement reads. */
export const selected = (source: Source): string =>
  typeof source !== 'string' && source.path !== undefined
    ? textIn(source.column, source.path)
    : quoted(columnOf(source))

/** What a statement sorts by and compares with numbers. */
export const sortable = (source: Source): string =>
  isInJson(source) ? `CAST(${selected(source)} AS DECIMAL(30, 0))` : selected(source)

/** A level as the contract takes it. With thresholds it is the number of those that were reached. */
export function readLevel(source: Source | null, value: unknown): number | null {
  if (source === null) return null
  if (typeof source === 'string' || source.thresholds === undefined) return readSmallNumber(value)
  const reached = readNumber(value) ?? Math.floor(Number(value))
  let [low, high] = [0, source.thresholds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((source.thresholds[middle] ?? 0) <= reached) low = middle + 1
    else high = middle
  }
  return low
}
