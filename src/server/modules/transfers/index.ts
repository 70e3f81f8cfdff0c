export { activateWithin } from './activation.service.ts'
export { registerTransfers } from './transfers.routes.ts'
