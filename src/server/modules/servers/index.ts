export { registerOperatorServers } from './servers.operator.ts'
export { insertServersIfNone, listServerIds, type Server } from './servers.service.ts'
