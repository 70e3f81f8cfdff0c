export type { AuditActor } from './audit.queries.ts'
export { appendAudit, appendOwnAct } from './audit.service.ts'
export { countAlone, actAsOperator, type ActCall, type Recorded } from './operator-act.service.ts'
export { actOnSeveral } from './several-acts.service.ts'
export { serveOperatorList } from './operator-list.service.ts'
export {
  describeActs,
  describeTrailRows,
  lastTrailCheck,
  listTrailOf,
  verifyAndKeep,
} from './trail.service.ts'
export { registerOperatorAudit } from './audit.operator.ts'
export { startAuditJobs } from './audit.jobs.ts'
export { erasePersonalOf, personalTrail } from './personal.queries.ts'
