export { listClosures, watchMaintenance } from './maintenance.service.ts'
export { registerMaintenance } from './maintenance.operator.ts'
