import * as z from 'zod/mini'
import { type BankEvent, type SignatureResult, type ReceivedNotification } from './payment-vendor.rules.ts'

/** For signatures inside the body, over the values of its JSON. */
export function checkSignedJson(raw: Buffer, isSigned: (body: JsonValue) => boolean): SignatureResult {
  const body = readNotificationJson(raw)
  if (body === undefined) return 'unreadable'
  return isSigned(body) ? 'valid' : 'bad'
}

/** A header given twice counts as absent: which of the two was meant is anybody's guess. */
export function oneHeader({ headers }: ReceivedNotification, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

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
    return parseNotificationText(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    // Whatever is wrong with the bytes, the sender gets the same answer, and undefined is no JSON value.
    return undefined
  }
}

export function parseNotificationText(text: string): JsonValue | undefined {
  try {
    const value = (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
      typeof value === 'number' ? new NumberText(source as string) : value,
    )
    return isDeeper(value, MAX_DEPTH) ? undefined : value
  } catch {
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

/** JSON without blanks, the names of every object in order; `write` makes the quoted form of a text. */
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

export const accountNumber = z.string().check(z.trim(), z.regex(/^[\x20-\x7e]{1,64}$/))

const numberText = z.pipe(
  z.instanceof(NumberText),
  z.transform((number) => number.text),
)

/** A number as it was written, where that is a whole one. */
export const wholeNumber = z.pipe(z.pipe(numberText, z.transform(Number)), z.int())

/** A text that some write as a number. */
export const writtenText = z.union([z.string(), numberText])

/** How a provider names one of its things, in figures or in a text; longer figures than a double holds stay exact. */
export const providerId = z.pipe(writtenText, z.string().check(z.regex(/^\w[\w-]{0,63}$/)))

/** Real transactions are numbered from 1; the trial call of a provider's dashboard is number 0. */
export function isTrialEvent({ providerEventId }: Pick<BankEvent, 'providerEventId'>) {
  return /^0+$/.test(providerEventId)
}
