import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { amountSchema, atMost, idText, moment, paged, pageQueryShape } from './fields.ts'

/** `open`: its case waits for the operators; `answered`: they wrote without a decision. One that was closed undecided is rejected. */
export const CLAIM_STATUSES = ['open', 'answered', 'settled', 'rejected'] as const

export type ClaimStatus = (typeof CLAIM_STATUSES)[number]

/** How old a payment may be that a claim is about; older ones are handled in person. */
export const CLAIM_AGE_DAYS_MAX = 60
export const OPEN_CLAIMS_MAX = 3
export const CLAIM_NOTE_MAX = 500
export const BANK_REFERENCE_MAX = 64
export const CLAIM_PICTURE_BYTES_MAX = 5 * 1024 * 1024
export const CLAIM_PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export const CLAIM_PICTURE_TOO_LARGE = 'Ảnh lớn hơn 5 MB, vui lòng chọn ảnh nhỏ hơn'

const PAID_AT_INVALID = 'Thời gian chuyển khoản không hợp lệ'

/** Forms carry texts: the digits of the amount, and nothing for what was left empty. */
const amountText = z.pipe(
  z
    .string('Vui lòng nhập số tiền')
    .check(z.minLength(1, 'Vui lòng nhập số tiền'), z.regex(/^\d{1,16}$/, 'Số tiền phải là số nguyên')),
  z.pipe(
    z.transform((text: string) => Number(text)),
    amountSchema,
  ),
)

/** One line: no invisible characters. */
const reference = z
  .string()
  .check(
    z.trim(),
    atMost(BANK_REFERENCE_MAX),
    z.regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'Mã giao dịch có ký tự không hợp lệ'),
  )

const note = z
  .string()
  .check(
    z.trim(),
    atMost(CLAIM_NOTE_MAX),
    z.regex(/^(?:[\n\r\t]|[^\p{Cc}\p{Cs}])*$/u, 'Ghi chú có ký tự không hợp lệ'),
  )

export const createClaimBody = z.object({
  amount: amountText,
  paid_at: z
    .string('Vui lòng chọn thời gian chuyển khoản')
    .check(
      z.minLength(1, 'Vui lòng chọn thời gian chuyển khoản'),
      z.maxLength(40, PAID_AT_INVALID),
      z.iso.datetime({ offset: true, error: PAID_AT_INVALID }),
    ),
  bank_reference: z.optional(reference),
  note: z.optional(note),
})

export type NewClaim = z.output<typeof createClaimBody>

export const claimSchema = z.object({
  id: idText,
  amount: z.number(),
  paid_at: moment,
  bank_reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  has_picture: z.boolean(),
  status: z.enum(CLAIM_STATUSES),
  /** What the operators answered last; null until then. */
  message: z.nullable(z.string()),
  /** The conversation about it; null once that is past its time. */
  case_id: z.nullable(idText),
  created_at: moment,
  answered_at: z.nullable(moment),
})

export type RechargeClaim = z.output<typeof claimSchema>

export const createClaim = endpoint('POST', '/recharge/claims', 'user', {
  summary: 'Says that money was sent and not credited. A form (multipart), with a picture if there is one.',
  body: createClaimBody,
  form: { file: 'picture', fileBytesMax: CLAIM_PICTURE_BYTES_MAX, fileTooLarge: CLAIM_PICTURE_TOO_LARGE },
  answer: z.object({ id: idText, status: z.enum(CLAIM_STATUSES) }),
  status: 201,
  isIdempotent: true,
  errors: ['LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'],
})

export const listClaims = endpoint('GET', '/recharge/claims', 'user', {
  summary: 'What the player said was not credited, the newest first, with the operators’ answers.',
  query: z.object(pageQueryShape),
  answer: paged(claimSchema),
})
