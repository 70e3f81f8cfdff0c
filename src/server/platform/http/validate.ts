import * as z from 'zod/mini'
import { Refusal, type FieldErrors } from '../values/errors.ts'

// Sentences for rules that carry none of their own.
z.config({
  localeError(issue) {
    if (issue.code === 'too_small') return 'Giá trị quá nhỏ hoặc quá ngắn'
    if (issue.code === 'too_big') return 'Giá trị quá lớn hoặc quá dài'
    return issue.input === undefined ? 'Không được bỏ trống' : 'Giá trị không hợp lệ'
  },
})

/** Parses what came from outside, or refuses naming every wrong field. Unknown fields are dropped. */
export function validate<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = z.safeParse(schema, input)
  if (result.success) return result.data
  // Not even an object: there is no field to name.
  if (result.error.issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type')) {
    throw new Refusal('BAD_REQUEST')
  }
  const errors: FieldErrors = {}
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.') || 'body'
    const messages = (errors[field] ??= [])
    if (!messages.includes(issue.message)) messages.push(issue.message)
  }
  const first = Object.values(errors)[0]?.[0]
  throw new Refusal('VALIDATION', { errors, ...(first === undefined ? {} : { message: first }) })
}

/** The same for a query string, in which an empty value (`filter_type=`) means the same as a missing one. */
export function validateQuery<Schema extends z.ZodMiniType>(
  schema: Schema,
  query: unknown,
): z.output<Schema> {
  return validate(
    schema,
    Object.fromEntries(Object.entries(query as object).filter(([, value]) => value !== '')),
  )
}
