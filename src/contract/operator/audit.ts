import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { describedActSchema } from './audit-sentences/parts.ts'
import { person, storable } from './act-fields.ts'
import { growingListQuery, idFilter, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

const nameFilter = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), storable)

/** One row of the audit trail, without what names a person. */
export const auditRowSchema = z.extend(describedActSchema, {
  id: idText,
  at: moment,
  actor_kind: z.enum(['system', 'user', 'operator']),
  /** Null for the portal itself. */
  actor: z.nullable(person),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string() }),
  reason: z.nullable(z.string()),
  /** Business values; those that were changed as `before` and `after`. */
  details: z.record(z.string(), z.unknown()),
  request_id: z.nullable(z.string()),
})

export type AuditRow = z.output<typeof auditRowSchema>

/** A place at which the trail does not fit its chain. `id` is the number of a row, of a fault `seal` that of a daily seal. */
export const trailFaultSchema = z.object({
  id: z.string(),
  fault: z.enum(['link', 'hash', 'head', 'seal', 'personal']),
})

const READERS = permitted('audit.read')

export const operatorAudit = {
  list: endpoint('GET', '/operator/audit', READERS, {
    summary:
      'The audit trail. `actor` is a username, `from` and `to` are days in Vietnam, both included. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      id: z.optional(oneOrMany(idFilter)),
      actor: z.optional(nameFilter),
      action: z.optional(nameFilter),
      subject_type: z.optional(nameFilter),
      subject_id: z.optional(nameFilter),
      request_id: z.optional(nameFilter),
      from: z.optional(z.iso.date('Ngày phải ở dạng YYYY-MM-DD')),
      to: z.optional(z.iso.date('Ngày phải ở dạng YYYY-MM-DD')),
    }),
    answer: z.array(auditRowSchema),
  }),
  verify: endpoint('GET', '/operator/audit/verify', READERS, {
    summary:
      'Reads what the daily check has not read yet, or the whole trail when the last one found something, and answers how many rows that were and which do not fit the chain; at most 100 are named. The alarm says what it found.',
    answer: z.object({
      rows: z.int(),
      checked_at: moment,
      /** When the whole trail was last read; null when it was now. */
      whole_at: z.nullable(moment),
      faults: z.array(trailFaultSchema),
    }),
  }),
}
