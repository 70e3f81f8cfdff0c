import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { byId, idText, moment } from './fields.ts'
import { shownName } from './shown-name.ts'

/** What notices are about; each can be turned off by itself. */
export const NOTICE_KINDS = ['recharge', 'delivery', 'claim', 'tournament', 'security'] as const

export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const NOTICE_KIND_NAMES: Record<NoticeKind, string> = {
  recharge: 'Nạp TCoin',
  delivery: 'Món đã mua',
  claim: 'Hỗ trợ',
  tournament: 'Giải đấu',
  security: 'Bảo mật tài khoản',
}

const noticeSchema = z.object({
  id: idText,
  kind: z.enum(NOTICE_KINDS),
  title: shownName,
  text: z.string(),
  /** The page of the portal with more about it. */
  href: z.string(),
  created_at: moment,
  read: z.boolean(),
})

const unread = z.int()

export const listNotices = endpoint('GET', '/notices', 'user', {
  summary:
    'Notices of the player, the newest first, twenty at a time; `after` names the last one of the page before.',
  query: z.object({ after: z.optional(idText) }),
  answer: z.object({
    data: z.array(noticeSchema),
    payload: z.object({
      unread,
      /** Where the next page begins; null on the last one. */
      after: z.nullable(idText),
    }),
  }),
})

export const readNotices = endpoint('POST', '/notices/read', 'user', {
  summary: 'Marks notices as read: `until` and all older ones, or those from `from` to `until`.',
  body: z.object({ until: idText, from: z.optional(idText) }),
  answer: z.object({ unread }),
})

const PAGE_INVALID = 'Trang không hợp lệ'

export const readNoticesOfPage = endpoint('POST', '/notices/read-page', 'user', {
  summary:
    'Marks the unread notices as read that lead to a page, which shows the player what they are about.',
  body: z.object({
    href: z.string(PAGE_INVALID).check(z.maxLength(200, PAGE_INVALID), z.startsWith('/', PAGE_INVALID)),
  }),
  answer: z.object({ unread }),
})

export const NOTICE_EVENTS_PATH = '/notices/events'

export const watchNotices = endpoint('GET', NOTICE_EVENTS_PATH, 'user', {
  summary: 'How many notices are unread, and the newest one, now and after each change.',
  answer: z.object({ unread, latest: z.nullable(noticeSchema) }),
  isStream: true,
})

/** For each kind, by which ways the player is told. */
const preference = z.object({ bell: z.boolean() })
/** Reminders of this kind also come by mail, to a proved address; mails about money and security cannot be turned off. */
const remindedPreference = z.object({ bell: z.boolean(), mail: z.boolean() })

const preferencesSchema = z.object({
  recharge: preference,
  delivery: preference,
  claim: preference,
  tournament: remindedPreference,
  security: preference,
  /** One mail a day about what is unread, to a proved address. */
  digest: z.boolean(),
} satisfies Record<NoticeKind | 'digest', typeof preference | typeof remindedPreference | z.ZodMiniBoolean>)

export const getNoticePreferences = endpoint('GET', '/notices/preferences', 'user', {
  summary: 'Of which kinds the player wants notices, and whether a mail about them each day.',
  answer: preferencesSchema,
})

export const putNoticePreferences = endpoint('PUT', '/notices/preferences', 'user', {
  summary:
    'Turns kinds of notices and the daily mail on or off; what is left out stays as it is. The daily mail needs a proved address (CONFLICT).',
  body: z.partial(preferencesSchema),
  answer: preferencesSchema,
  errors: ['CONFLICT'],
})

export const getPushKey = endpoint('GET', '/push/key', 'user', {
  summary: 'The key that browsers subscribe with, and the subscription of the caller’s session.',
  answer: z.object({ public_key: z.string(), subscription_id: z.nullable(idText) }),
})

const ENDPOINT_INVALID = 'Dịch vụ thông báo của trình duyệt không hợp lệ'
const KEY_INVALID = 'Khóa của trình duyệt không hợp lệ'

/** A PushSubscription as browsers write it. */
export const addPushSubscription = endpoint('POST', '/push/subscriptions', 'user', {
  summary:
    'Notices of the player are also sent to this browser, until the session ends. A session has one subscription, a player ten: the oldest gives way.',
  body: z.object({
    endpoint: z
      .string(ENDPOINT_INVALID)
      .check(z.maxLength(1_000, ENDPOINT_INVALID), z.url({ protocol: /^https?$/, error: ENDPOINT_INVALID })),
    keys: z.object({
      p256dh: z.string(KEY_INVALID).check(z.regex(/^[A-Za-z0-9_-]{87}=?$/, KEY_INVALID)),
      auth: z.string(KEY_INVALID).check(z.regex(/^[A-Za-z0-9_-]{22}(==)?$/, KEY_INVALID)),
    }),
  }),
  answer: z.object({ id: idText }),
  status: 201,
})

export const removePushSubscription = endpoint('DELETE', '/push/subscriptions/{id}', 'user', {
  summary: 'Nothing is sent to that browser any more.',
  params: byId,
  errors: ['NOT_FOUND'],
})

/** What a push message holds, encrypted for the browser: `tag` is the notice, so that one that comes twice is shown once. */
export type PushContent = { tag: string; title: string; text: string; href: string }

export type Notice = z.output<typeof noticeSchema>
export type NoticeState = z.output<typeof watchNotices.answer & {}>
export type NoticePreferences = z.output<typeof preferencesSchema>
