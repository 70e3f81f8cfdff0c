import type { AuditAction } from '#contract/operator/audit-sentences.ts'

export type AuditActor = { kind: 'operator' | 'user'; id: string } | { kind: 'system' }

export type AuditEntry = {
  actor: AuditActor
  /** What was done, as `<resource>.<act>`: `posts.update`. Each has its sentence in the contract. */
  action: AuditAction
  subject: { type: string; id: string }
  reason?: string
  /** Business values before and after; ids and figures, never what names a person. */
  details?: Record<string, unknown>
  /** What does name a person (addresses, phones, free text of players): kept apart, erasable. */
  personal?: Record<string, unknown>
  requestId?: string
}
