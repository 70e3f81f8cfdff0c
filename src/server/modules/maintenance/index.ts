export { listClosureNotices, watchMaintenance } from './maintenance.service.ts'
export { registerMaintenance } from './maintenance.operator.ts'
