import * as z from 'zod/mini'
import { PASSWORDS_DIFFER, required } from './fields.ts'

export const repeatedPassword = z.string(required).check(z.minLength(1, required))

/** A form with a new password typed twice. The two are compared even while other fields are still wrong. */
export function withRepeatedPassword<
  Form extends z.ZodMiniType<{ password: string; confirm_password: string }>,
>(form: Form): Form {
  return form.check(
    z.refine((typed) => typed.password === typed.confirm_password, {
      path: ['confirm_password'],
      message: PASSWORDS_DIFFER,
      when: () => true,
    }),
  )
}
