export type { AuditActor } from './audit-entry.ts'
export { appendAudit, appendOwnAct, verifyAuditChain } from './audit.service.ts'
export { startAuditJobs } from './audit.jobs.ts'
