import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { person } from './act-fields.ts'
import { permitted } from './roles.ts'

/** What operators did on one day with money, prices, accounts, limits and roles; in words, by operator. */
const operatorDigestSchema = z.object({
  /** In Vietnam, `2026-11-24`. */
  day: z.string(),
  operators: z.array(
    z.object({
      /** Null: the portal itself or its command line. */
      operator: z.nullable(person),
      lines: z.array(z.string()),
    }),
  ),
})

export type OperatorDigest = z.output<typeof operatorDigestSchema>

export const operatorDigestCall = endpoint('GET', '/operator/digest', permitted('audit.read'), {
  summary:
    'What operators did on a day in Vietnam with money, prices, receiving accounts, limits and roles, by operator; today when no day is named. Owners get it of each day by mail.',
  query: z.object({
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Ngày phải có dạng năm-tháng-ngày'))),
  }),
  answer: operatorDigestSchema,
})
