export type { AuditActor, AuditEntry } from './audit-entry.ts'
export { appendAudit } from './audit.service.ts'
