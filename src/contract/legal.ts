import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './fields.ts'

/** The texts that bind the portal and its players. */
export const LEGAL_KINDS = ['terms', 'privacy', 'refunds'] as const

export type LegalKind = (typeof LEGAL_KINDS)[number]

export const legalTextSchema = z.object({
  kind: z.enum(LEGAL_KINDS),
  version: z.int(),
  /** The one in force. */
  current_version: z.int(),
  content: z.string(),
  published_at: moment,
})

export const getLegalText = endpoint('GET', '/legal/{kind}', 'open', {
  summary: 'Terms, privacy or refunds as safe HTML: the version in force, or the one that is named.',
  params: z.object({ kind: z.string() }),
  query: z.object({ version: z.optional(idText) }),
  answer: legalTextSchema,
  errors: ['NOT_FOUND'],
})

export type LegalText = z.output<typeof legalTextSchema>

/**
 * What a player can agree to: texts, the advertiser's pixel, to be shown in the rankings of recharges, and notices on devices or
 * by a daily mail.
 */
export const CONSENT_SUBJECTS = ['terms', 'privacy', 'pixel', 'ranking', 'push', 'digest'] as const

export type ConsentSubject = (typeof CONSENT_SUBJECTS)[number]

/** Where the answer was given. */
export const CONSENT_SOURCES = [
  'registration',
  'notice',
  'consents-page',
  'pixel-question',
  'profile',
  'notices-page',
] as const

const subject = z.enum(CONSENT_SUBJECTS, 'Nội dung đồng ý không tồn tại')

export const consentSchema = z.object({
  id: idText,
  subject,
  /** Of the text, or of the pixel's question. */
  version: z.int(),
  given: z.boolean(),
  source: z.enum(CONSENT_SOURCES),
  at: moment,
})

export const listConsents = endpoint('GET', '/user/consents', 'user', {
  summary:
    'What the player agreed to and withdrew: the last word on each subject, and the newest 50 records.',
  answer: z.object({
    subjects: z.array(z.object({ subject, current_version: z.int(), latest: z.nullable(consentSchema) })),
    records: z.array(consentSchema),
  }),
})

export const giveConsent = endpoint('POST', '/user/consents', 'user', {
  summary:
    'Records that the player agrees to the version in force, or for the pixel also that they do not. What is recorded already is not recorded again. CONFLICT when another version is in force.',
  body: z.object({
    // The others are answered by what they are about: PUT /user/ranking-name, POST /push/subscriptions, PUT /notices/preferences.
    subject: z.enum(['terms', 'privacy', 'pixel'], 'Nội dung đồng ý không tồn tại'),
    version: z.int().check(z.gte(1), z.lte(1_000_000)),
    given: z.boolean(),
    source: z.enum(['notice', 'consents-page', 'pixel-question'], 'Nơi trả lời không hợp lệ'),
  }),
  answer: consentSchema,
  errors: ['CONFLICT'],
})

export type Consent = z.output<typeof consentSchema>
