/** A number as the sender wrote it: 50000.0, 1e5 and an id of twenty digits would come out of a double as another text. */
export class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = null | boolean | string | NumberText | JsonValue[] | JsonRecord
export type JsonRecord = { [key: string]: JsonValue }

/** No provider nests deeper than three; the functions that read the value are recursive. */
const MAX_DEPTH = 16

/** The JSON value of the bytes, or undefined for anything that is not JSON in UTF-8 of limited depth. */
export function readNotificationJson(raw: Uint8Array): JsonValue | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(raw)
    const value = (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
      typeof value === 'number' ? new NumberText(source as string) : value,
    )
    return isDeeper(value, MAX_DEPTH) ? undefined : value
  } catch {
    // Whatever is wrong with the bytes, the sender gets the same answer, and undefined is no JSON value.
    return undefined
  }
}

/** The compiler's library does not know yet that a reviver receives the source text of its value. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: JsonValue | number, context: { source?: string }) => JsonValue,
) => JsonValue

export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  )
}

/** JSON without blanks, the names of every object in order; `write` says how a text is put between its quotes. */
export function writeSorted(value: JsonValue, write: (text: string) => string = JSON.stringify): string {
  if (typeof value === 'string') return write(value)
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => writeSorted(item, write)).join(',')}]`
  if (!isRecord(value)) return String(value)
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${write(name)}:${writeSorted(value[name] ?? null, write)}`)
  return `{${fields.join(',')}}`
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
