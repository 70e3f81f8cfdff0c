import * as z from 'zod/mini'
import vi from 'zod/v4/locales/vi.js'
import { Refusal, type FieldErrors } from './refusal.ts'

// Sentences for rules that carry none of their own.
z.config(vi())

/** Parses what came from outside, or refuses naming every wrong field. Unknown fields are dropped. */
export function validate<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  const errors: FieldErrors = {}
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.') || 'body'
    const messages = (errors[field] ??= [])
    if (!messages.includes(issue.message)) messages.push(issue.message)
  }
  const first = Object.values(errors)[0]?.[0]
  throw new Refusal('VALIDATION', { errors, ...(first === undefined ? {} : { message: first }) })
}
