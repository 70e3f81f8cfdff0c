import { parseNotificationText, type JsonRecord, type JsonValue } from './notification.rules.ts'

// Whatever the encoding that a provider offers and somebody chose in its dashboard.

/** What the bytes of a notification say, as JSON would; undefined where they say nothing that has fields. */
export function readNoticeBody(raw: Uint8Array, contentType = ''): JsonValue | undefined {
  const text = decode(raw, contentType)
  const json = parseNotificationText(text)
  if (json !== undefined) return json
  const boundary = /multipart\/form-data.*boundary="?([^";]{1,70})"?/i.exec(contentType)?.[1]
  if (boundary !== undefined) return nested(multipartFields(text, boundary))
  return /^[\w.[\]%-]{1,100}=/.test(text) ? nested([...new URLSearchParams(text.trim())]) : undefined
}

/** A byte order mark decides, then UTF-8, then what the sender calls it; every byte is a letter of windows-1252. */
function decode(raw: Uint8Array, contentType: string): string {
  const declared = /charset="?([\w:.-]{1,40})/i.exec(contentType)?.[1] ?? ''
  for (const label of [...markedEncoding(raw), 'utf-8', declared, 'windows-1252']) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(raw)
    } catch {
      // No text in this encoding, or an encoding that nobody knows: the next one.
    }
  }
  return ''
}

function markedEncoding([first, second]: Uint8Array): string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le']
  return first === 0xfe && second === 0xff ? ['utf-16be'] : []
}

const FIELDS_MAX = 5_000

function multipartFields(text: string, boundary: string): [string, string][] {
  return text
    .split(`--${boundary}`)
    .slice(1, FIELDS_MAX)
    .flatMap((part): [string, string][] => {
      const [, head, value] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(part) ?? []
      const name = /^content-disposition:.*[; ]name="([^"]*)"/im.exec(head ?? '')?.[1]
      return name === undefined ? [] : [[name, (value ?? '').replace(/\r?\n$/, '')]]
    })
}

const LEVELS_MAX = 4

/** `data[0][id]` and `data.id` as the objects and lists that they stand for. */
function nested(fields: readonly [string, string][]): JsonValue | undefined {
  if (fields.length === 0) return undefined
  const whole: JsonRecord = Object.create(null) as JsonRecord
  for (const [name, value] of fields.slice(0, FIELDS_MAX)) {
    const [last = name, ...path] = name
      .split(/[.[\]]+/)
      .filter(Boolean)
      .slice(0, LEVELS_MAX)
      .toReversed()
    let holder = whole
    for (const step of path.toReversed()) {
      const held = holder[step]
      holder = typeof held === 'object' && held !== null ? (held as JsonRecord) : addTo(holder, step)
    }
    holder[last] = value
  }
  return withLists(whole)
}

function addTo(holder: JsonRecord, step: string): JsonRecord {
  const made = Object.create(null) as JsonRecord
  holder[step] = made
  return made
}

/** An object whose names are 0, 1, 2 … is a list. */
function withLists(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, JsonValue] => [name, withLists(inner)])
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
