import * as z from 'zod/mini'
import { filledText } from '../fields.ts'

/** Things of a player that a case may be about, each with its id. */
export const THING_KINDS = ['transaction', 'order', 'delivery'] as const

export type ThingKind = (typeof THING_KINDS)[number]

/** What a case may be about that is no thing of the player and has no id. */
export const TOPICS = ['account', 'sign-in', 'game', 'tournament', 'other'] as const

export type Topic = (typeof TOPICS)[number]

export const TOPIC_WORDS: Readonly<Record<Topic, string>> = {
  account: 'Tài khoản',
  'sign-in': 'Không đăng nhập được',
  game: 'Trong game',
  tournament: 'Giải đấu',
  other: 'Việc khác',
}

/** Money that was not credited has a form of its own, `POST /recharge/claims`, which opens its case. */
export const CASE_KINDS = [...THING_KINDS, 'claim', ...TOPICS] as const

export type CaseKind = (typeof CASE_KINDS)[number]

export const REPORTED_KINDS = [...THING_KINDS, ...TOPICS] as const

export type ReportedKind = (typeof REPORTED_KINDS)[number]

export const isTopic = (kind: CaseKind): kind is Topic => TOPICS.some((topic) => topic === kind)

/** In place of an id: a topic has none. */
export const NO_ID = '-'

/** `open`: the player waits for an answer. */
export const CASE_STATES = ['open', 'answered', 'closed'] as const

export type CaseState = (typeof CASE_STATES)[number]

/** Of one player at once, besides those about claims. */
export const OPEN_CASES_MAX = 5
/** Of one case, of both sides. */
export const CASE_MESSAGES_MAX = 100
export const CASE_TEXT_MAX = 2_000
export const CASE_PICTURES_MAX = 4
export const CASE_PICTURE_BYTES_MAX = 2 * 1024 * 1024
export const CASE_PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export const CASE_PICTURE_TOO_LARGE = 'Ảnh lớn hơn 2 MB, vui lòng chọn ảnh nhỏ hơn'

/** What either side writes. */
export const caseText = filledText(
  z.maxLength(CASE_TEXT_MAX, `Tối đa ${CASE_TEXT_MAX} ký tự`),
  z.regex(/^(?:[\n\r\t]|[^\p{Cc}\p{Cs}])*$/u, 'Có ký tự không hợp lệ'),
)

/** The id of a delivery, the code of an order, the number of a transaction; a topic has none. */
const aboutId = z.nullish(z.string().check(z.regex(/^[0-9A-Za-z-]{1,40}$/, 'Mã không hợp lệ')))

export const aboutShape = {
  about_kind: z.enum(REPORTED_KINDS, 'Hãy chọn điều cần báo'),
  about_id: aboutId,
}

const withPictures = {
  form: {
    file: 'pictures',
    filesMax: CASE_PICTURES_MAX,
    fileBytesMax: CASE_PICTURE_BYTES_MAX,
    fileTooLarge: CASE_PICTURE_TOO_LARGE,
  },
  isIdempotent: true,
} as const

/** What a form sends of a new case and of a further message: without the answers, whose schemas a page does not load. */
export const caseForms = {
  create: {
    method: 'POST',
    path: '/cases',
    body: z.object({ ...aboutShape, text: caseText }),
    ...withPictures,
  },
  add: {
    method: 'POST',
    path: '/cases/{id}/messages',
    body: z.object({ text: caseText }),
    ...withPictures,
  },
} as const
