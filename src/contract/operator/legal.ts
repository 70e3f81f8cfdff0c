import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment, required } from '../fields.ts'
import { LEGAL_KINDS } from '../legal.ts'
import { newRow, person, reason } from './fields.ts'
import { permitted } from './roles.ts'

const content = z.string(required).check(z.maxLength(200_000, 'Nội dung quá dài'))
const byKind = z.object({ kind: z.string() })

export const legalVersionSchema = z.object({
  kind: z.enum(LEGAL_KINDS),
  version: z.int(),
  published_at: moment,
  /** Null: the text that comes with the portal, which no lawyer of the owner has read. */
  published_by: z.nullable(person),
})

const draftSchema = z.object({
  content: z.string(),
  /** The version in force when it was begun: another one was published since when it is lower. */
  based_on: z.int(),
  saved_at: moment,
})

export const operatorLegalTextSchema = z.extend(legalVersionSchema, {
  content: z.string(),
  /** What the caller has written and not published yet. */
  draft: z.nullable(draftSchema),
})

const ACCESS = permitted('legal.write')

export const operatorLegal = {
  list: endpoint('GET', '/operator/legal', ACCESS, {
    summary: 'The version in force of each legal text.',
    answer: z.array(legalVersionSchema),
  }),
  get: endpoint('GET', '/operator/legal/{kind}', ACCESS, {
    summary: 'The version in force of one text, and what the caller has written since.',
    params: byKind,
    answer: operatorLegalTextSchema,
    errors: ['NOT_FOUND'],
  }),
  versions: endpoint('GET', '/operator/legal/{kind}/versions', ACCESS, {
    summary: 'The last 100 versions of one text, the newest first.',
    params: byKind,
    answer: z.array(legalVersionSchema),
    errors: ['NOT_FOUND'],
  }),
  publish: endpoint('POST', '/operator/legal/{kind}/versions', ACCESS, {
    summary:
      'Publishes a new version; its HTML is sanitised. CONFLICT when `version` is not the one in force any more.',
    params: byKind,
    body: z.object({ content, version: z.int(), reason }),
    ...newRow(operatorLegalTextSchema, 'NOT_FOUND', 'CONFLICT', 'STEP_UP_REQUIRED'),
  }),
  saveDraft: endpoint('PUT', '/operator/legal/{kind}/draft', ACCESS, {
    summary: 'Keeps what the caller is writing, apart from what is shown. Publishing ends the draft.',
    params: byKind,
    body: z.object({ content, based_on: z.int().check(z.gte(1), z.lte(1_000_000)) }),
    answer: draftSchema,
    errors: ['NOT_FOUND'],
  }),
  dropDraft: endpoint('DELETE', '/operator/legal/{kind}/draft', ACCESS, {
    summary: 'Forgets the caller’s draft, if there is one.',
    params: byKind,
    errors: ['NOT_FOUND'],
  }),
}

export type LegalVersion = z.output<typeof legalVersionSchema>
export type OperatorLegalText = z.output<typeof operatorLegalTextSchema>
export type LegalDraft = z.output<typeof draftSchema>
