import * as z from 'zod/mini'

/** The rules of spec §5 for the fields that several forms share, with the spec's own messages. */
export const required = 'Không được bỏ trống'

const atLeast = (count: number) => z.minLength(count, `Tối thiểu ${count} kí tự`)
const atMost = (count: number) => z.maxLength(count, `Tối đa ${count} kí tự`)
const filled = () => z.minLength(1, required)

export const loginUsername = z.string(required).check(filled(), atLeast(5), atMost(20))
export const loginPassword = z.string(required).check(filled(), atLeast(2), atMost(20))

export const newUsername = z
  .string(required)
  .check(
    filled(),
    atLeast(6),
    atMost(20),
    z.regex(/^[A-Za-z0-9]+$/, 'Tên đăng nhập không được chứa kí tự đặc biệt'),
  )
export const newPassword = z.string(required).check(filled(), atLeast(6), atMost(20))

export const PASSWORDS_DIFFER = 'Mật khẩu nhập lại không chính xác'

export const phone = z
  .string(required)
  .check(filled(), z.regex(/^(84|0)[35789]\d{8}$/, 'Số điện thoại không hợp lệ'))

export const EMAIL_INVALID = 'Email không hợp lệ'

/** Absent, null and the empty string all mean that the player gave none. Each check speaks for itself: a union does not. */
export const optionalEmail = z.optional(
  z.nullable(
    z.union([z.literal(''), z.string().check(z.maxLength(254, EMAIL_INVALID), z.email(EMAIL_INVALID))], {
      error: EMAIL_INVALID,
    }),
  ),
)

export const requiredEmail = z
  .string(required)
  .check(filled(), z.maxLength(254, EMAIL_INVALID), z.email(EMAIL_INVALID))

/** A code of the second factor, where an account may have one: of the app, or a recovery code. */
export const optionalSecondFactorCode = z.optional(z.nullable(z.string().check(z.maxLength(32))))

/** One canonical form of a Vietnamese mobile number, `84` and nine digits: `0901234567` and `84901234567` are one phone. */
export function canonicalPhone(text: string): string {
  return text.replace(/^(?:\+?84|0)/, '84')
}
