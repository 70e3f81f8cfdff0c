export { registerTransfers } from './transfers.routes.ts'
