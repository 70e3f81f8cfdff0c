import * as z from 'zod/mini'
import { MAX_TRANSFER_VND } from './bank-event.rules.ts'
import { NumberText } from './notification-json.rules.ts'
import { readVietnamClock } from '#server/platform/vietnam-time.rules.ts'

// PostgreSQL cannot keep U+0000 in a text, and a notification must not be lost for one.
export const storableText = z.pipe(
  z.nullish(z.string()),
  z.transform((text) => (text ?? '').replaceAll('\u0000', '')),
)

export const accountNumber = z.string().check(z.trim(), z.regex(/^[\x20-\x7e]{1,64}$/))

const numberText = z.pipe(
  z.instanceof(NumberText),
  z.transform((number) => number.text),
)

const BANK_REFERENCE_CHARS_MAX = 200

/** The bank's own reference, which is looked up and so has a bound; nothing where it is blank. */
export const bankReference = z.pipe(
  z.pipe(storableText, z.string().check(z.trim(), z.maxLength(BANK_REFERENCE_CHARS_MAX))),
  z.transform((text) => text || null),
)

/** A number kept as it was written, where that is a whole one. */
export const wholeNumber = z.pipe(z.pipe(numberText, z.transform(Number)), z.int())

export const transferAmount = z.pipe(wholeNumber, z.int().check(z.gte(1), z.lte(MAX_TRANSFER_VND)))

/** A text that some write as a number. */
export const writtenText = z.union([z.string(), numberText])

/** How a provider names one of its things, in figures or in a text; longer figures than a double holds stay exact. */
export const providerId = z.pipe(writtenText, z.string().check(z.regex(/^\w[\w-]{0,63}$/)))

export const vietnamMoment = z.pipe(
  z.string().check(z.refine((text) => readVietnamClock(text) !== undefined)),
  z.transform((text) => readVietnamClock(text) as Date),
)

/** The field a schema stumbled over; empty when it is the whole. */
export function faultyField(error: z.core.$ZodError): string {
  return String(error.issues[0]?.path[0] ?? '')
}
