import * as z from 'zod/mini'

/**
 * The rules of spec §5 for the fields that several forms share, with the spec's own messages. What autofill, paste and
 * keyboards add around a value is removed here and nowhere else, before it is validated: forms and server parse with the
 * same schemas. Passwords are taken as they are.
 */
export const required = 'Không được bỏ trống'

export const atLeast = (count: number) => z.minLength(count, `Tối thiểu ${count} ký tự`)
export const atMost = (count: number) => z.maxLength(count, `Tối đa ${count} ký tự`)
export const filled = () => z.minLength(1, required)

/** A text that has to be given, without the blanks around it. */
export const filledText = (...checks: z.core.$ZodCheck<string>[]) =>
  z.string(required).check(z.trim(), filled(), ...checks)

/** What keyboards, chats and copied pages leave in a login name, which never has it: what cannot be seen, and full-width letters. */
export const typedUsername = (text: string): string =>
  halfWidth(text)
    .replace(/\p{Cf}/gu, '')
    .trim()

/** Full-width letters and digits, as some keyboards write them; no other letter becomes one of ASCII. */
const halfWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))

export const loginUsername = z
  .string(required)
  .check(z.overwrite(typedUsername), filled(), atLeast(5), atMost(20))
/**
 * A secret in one form of its letters: phones, computers and keyboards for Vietnamese write `ế` in one piece, in two or in
 * three, and send what looks the same as other bytes.
 */
export const oneForm = (secret: string): string => (secret.length > 500 ? secret : secret.normalize('NFC'))

/** As its owner counts: each letter with its marks is one. */
export const secretLength = (secret: string): number => Array.from(oneForm(secret)).length

const secretAtMost = (count: number) =>
  z.refine<string>((secret) => secretLength(secret) <= count, `Tối đa ${count} ký tự`)

/** As it was typed: what is stored may have been made of that form. */
export const loginPassword = z.string(required).check(filled(), atLeast(2), secretAtMost(20))

/** A day of the calendar, `2026-11-20`. */
export const dayText = z.iso.date('Ngày phải có dạng năm-tháng-ngày')

/** How the game names a server. */
export const SERVER_ID = /^[0-9A-Za-z_-]{1,16}$/

/** Of new accounts. */
export const NAME_LENGTH = { least: 6, most: 20 }
export const PASSWORD_LENGTH = { least: 6, most: 20 }

export const newUsername = z
  .string(required)
  .check(
    z.overwrite(typedUsername),
    filled(),
    atLeast(NAME_LENGTH.least),
    atMost(NAME_LENGTH.most),
    z.regex(/^[A-Za-z0-9]+$/, 'Tên đăng nhập không được chứa ký tự đặc biệt'),
  )
export const newPassword = z
  .string(required)
  .check(z.overwrite(oneForm), filled(), atLeast(PASSWORD_LENGTH.least), secretAtMost(PASSWORD_LENGTH.most))

export const PASSWORDS_DIFFER = 'Mật khẩu nhập lại không chính xác'

/** A Vietnamese mobile number as people write it: `0912 345 678` and `+84 (912) 345-678` come out as `84912345678`. */
export const phone = z
  .string(required)
  .check(z.overwrite(canonicalPhone), filled(), z.regex(/^84[35789]\d{8}$/, 'Số điện thoại không hợp lệ'))

export const EMAIL_INVALID = 'Email không hợp lệ'

const isEmail = () => [z.maxLength(254, EMAIL_INVALID), z.email(EMAIL_INVALID)] as const

/** Absent, null and a blank text all mean that the player gave none. The message is set again: a union has its own. */
export const optionalEmail = z.nullish(
  z.union(
    [z.string().check(z.trim(), z.maxLength(0)), z.string().check(z.trim(), ...isEmail())],
    EMAIL_INVALID,
  ),
)

export const requiredEmail = filledText(...isEmail())

/** A code of the second factor, where an account may have one: of the app, or a recovery code. */
export const optionalSecondFactorCode = z.nullish(z.string().check(z.trim(), atMost(32)))

const DECORATION = /[\s().\p{Pd}\p{Cf}]/gu

/**
 * One form of each Vietnamese mobile number, `84` and nine digits, whatever blanks, brackets, dots, dashes and invisible
 * marks it is written with. Any other text only loses those.
 */
export function canonicalPhone(text: string): string {
  return halfWidth(text)
    .replace(DECORATION, '')
    .replace(/^(?:\+?840?|0)(?=[35789]\d{8}$)/, '84')
}

/** The largest amount JSON carries exactly; the ledger's own ceiling (9e15) lies just below it. */
export const COINS_MAX = 9_000_000_000_000_000

const notAWholeNumber = 'Số tiền phải là số nguyên'

/** A positive whole amount, with its own message where it is missing. */
export const amountOr = (missing: string) =>
  z
    .number({ error: ({ input }) => (input === undefined || input === null ? missing : notAWholeNumber) })
    .check(
      z.refine((value) => Number.isSafeInteger(value), notAWholeNumber),
      z.gte(1, 'Số tiền phải lớn hơn 0'),
      z.lte(COINS_MAX, 'Số tiền quá lớn'),
    )

/** A positive whole amount of TCoin, VND or luong. Strings, fractions and unsafe numbers are refused, never rounded. */
export const amountSchema = amountOr(notAWholeNumber)

/** The parts any success object may carry: `report` opens a dialog with the message, `notify` shows a toast. */
/** What an act answers of the player's wallet. Answers that were stored before there were versions lack it. */
export const walletShape = { balance: z.number(), balance_version: z.optional(z.int()) }

export const envelopeShape = {
  message: z.optional(z.string()),
  report: z.optional(z.boolean()),
  notify: z.optional(z.boolean()),
}

export const messageAnswer = z.object(envelopeShape)

/** The page of a long list, as the spec's tables read it. Pages count from 1. */
export const paginationSchema = z.object({
  page: z.int(),
  items_per_page: z.int(),
  total: z.int(),
  last_page: z.int(),
})

export const paged = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ data: z.array(row), payload: z.object({ pagination: paginationSchema }) })

/** `page` and `items_per_page` as they arrive in a query string. */
export const pageQueryShape = {
  page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
  items_per_page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
}

/** Ids that travel as text: the database's bigint ids, written in decimal. */
export const idText = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Mã không hợp lệ'))

/** The parameters of a call about one row. */
export const byId = z.object({ id: idText })

/** Moments travel as ISO 8601 in UTC. */
export const moment = z.string()
