export { appendAudit, type AuditActor, type AuditEntry } from './audit.service.ts'
