export type { AuditActor, AuditEntry } from './audit-entry.ts'
export { appendAudit, verifyAuditChain } from './audit.service.ts'
