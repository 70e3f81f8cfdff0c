import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './envelope.ts'

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
