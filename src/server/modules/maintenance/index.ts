export { listClosureNotices, maintenanceGate } from './maintenance.service.ts'
export { registerMaintenance } from './maintenance.operator.ts'
