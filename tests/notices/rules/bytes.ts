// What the bytes of a call say, by the text of docs/decisions/0079 (§2, Bytes). Nothing here is the portal's.

/** A number of JSON as it was written. */
export class Figure {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Fields = { [name: string]: unknown }

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Figure)

/** Undefined when nothing can be read in it. */
export function saidIn(body: Buffer, contentType: string): unknown {
  const text = lettersOf(body, contentType)
  const json = jsonIn(text)
  if (json !== undefined) return json
  const boundary = /^multipart\/form-data;.*boundary=(\S+)/i.exec(contentType)?.[1]
  if (boundary !== undefined) return inParts(text, boundary)
  return /^[A-Za-z0-9_.%[\]-]+=/.test(text) ? unfold([...new URLSearchParams(text)]) : undefined
}

function lettersOf(body: Buffer, contentType: string): string {
  const mark = body.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(body)
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(body)
  for (const name of ['utf-8', /charset=([^;\s]+)/.exec(contentType)?.[1], 'windows-1252']) {
    try {
      if (name !== undefined) return new TextDecoder(name, { fatal: true }).decode(body)
    } catch {
      continue
    }
  }
  return ''
}

const LEVELS_MAX = 16

export function jsonIn(text: string): unknown {
  let value: unknown
  try {
    const keepFigures = (_name: string, one: unknown, { source }: { source?: string }) =>
      typeof one === 'number' ? new Figure(source ?? String(one)) : one
    value = (JSON.parse as (text: string, keep: typeof keepFigures) => unknown)(text, keepFigures)
  } catch {
    return undefined
  }
  return levelsOf(value) > LEVELS_MAX ? undefined : value
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Figure) return 0
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf))
}

/** As JSON: what is a list or an object where a text is expected. */
export function asJson(value: unknown): string {
  if (value instanceof Figure) return value.text
  if (Array.isArray(value)) return `[${value.map(asJson).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value) ?? ''
  const pairs = Object.keys(value).toSorted()
  return `{${pairs.map((name) => `${JSON.stringify(name)}:${asJson(value[name])}`).join(',')}}`
}

function inParts(text: string, boundary: string): unknown {
  const parts = text.split(`--${boundary}`).slice(1, -1)
  return unfold(
    parts.map((part): [string, string] => {
      const [head = '', ...value] = part.replace(/^\r\n/, '').split('\r\n\r\n')
      return [/ name="([^"]*)"/.exec(head)?.[1] ?? '', value.join('\r\n\r\n').replace(/\r\n$/, '')]
    }),
  )
}

/** `data[0][id]` and `data.id` are an `id` inside `data`; names 0, 1, 2 … are those of a list. */
function unfold(pairs: [string, string][]): unknown {
  if (pairs.length === 0) return undefined
  const whole: Fields = {}
  for (const [name, value] of pairs) {
    const steps = name.split(/[[\].]+/).filter((step) => step !== '')
    const last = steps.pop() ?? name
    let inside = whole
    for (const step of steps) {
      if (!isFields(inside[step])) inside[step] = {}
      inside = inside[step] as Fields
    }
    inside[last] = value
  }
  return listed(whole)
}

function listed(value: unknown): unknown {
  if (!isFields(value)) return value
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [name, listed(one)])
  const isList = entries.length > 0 && entries.every(([name], at) => name === String(at))
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}
