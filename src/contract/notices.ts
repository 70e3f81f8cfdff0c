import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './fields.ts'

/** What notices are about; each can be turned off by itself. */
export const NOTICE_KINDS = ['recharge', 'delivery', 'claim', 'tournament', 'security'] as const

export type NoticeKind = (typeof NOTICE_KINDS)[number]

export const NOTICE_KIND_NAMES: Record<NoticeKind, string> = {
  recharge: 'Nạp TCoin',
  delivery: 'Món đã mua',
  claim: 'Yêu cầu kiểm tra khoản nạp',
  tournament: 'Giải đấu',
  security: 'Bảo mật tài khoản',
}

const noticeSchema = z.object({
  id: idText,
  kind: z.enum(NOTICE_KINDS),
  title: z.string(),
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
} satisfies Record<NoticeKind, typeof preference | typeof remindedPreference>)

export const getNoticePreferences = endpoint('GET', '/notices/preferences', 'user', {
  summary: 'Of which kinds the player wants notices.',
  answer: preferencesSchema,
})

export const putNoticePreferences = endpoint('PUT', '/notices/preferences', 'user', {
  summary: 'Turns kinds of notices on or off; kinds that are left out stay as they are.',
  body: z.partial(preferencesSchema),
  answer: preferencesSchema,
})

export type Notice = z.output<typeof noticeSchema>
export type NoticeState = z.output<typeof watchNotices.answer & {}>
export type NoticePreferences = z.output<typeof preferencesSchema>
