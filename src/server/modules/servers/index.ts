export { registerOperatorServers } from './servers.operator.ts'
export { insertServersIfNone, type Server } from './servers.service.ts'
