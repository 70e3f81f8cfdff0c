import * as z from 'zod'
import { addressFault } from '#contract/address-fault.ts'

/** The secret in use and, while it is being changed, the one before. */
export const secretList = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (secrets) => secrets.every((secret) => secret.length >= 8),
    'each secret needs at least 8 characters',
  )

/** One sentence names both ends, also for a text that is no number. */
export const wholeNumber = (min: number, max: number, words = `a whole number from ${min} to ${max}`) =>
  z.coerce.number(words).int(words).min(min, words).max(max, words)

/** An address, perhaps with a user and a password, of which no message quotes anything. */
export const addressText = z.string().refine((text) => addressFault(text) === null, {
  abort: true,
  error: ({ input }) => addressFault(String(input)) ?? '',
})

export const webUrl = addressText
  .pipe(z.url({ protocol: /^https?$/, error: 'an http address, such as https://ninja.example' }))
  .transform((text) => text.replace(/\/+$/, ''))

const madeUpInDemo = z.registry<Record<never, never>>()

/** A secret that a demo makes up when it is not given. */
export function madeUpByDemo<Schema extends z.ZodType>(schema: Schema): Schema {
  madeUpInDemo.add(schema, {})
  return schema
}

/** The variables of a shape that a demo makes up. */
export function demoSecretsIn(shape: z.ZodRawShape): string[] {
  return Object.keys(shape).filter((name) => madeUpInDemo.has(shape[name] as z.ZodType))
}
