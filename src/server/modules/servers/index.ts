export { registerOperatorServers } from './servers.operator.ts'
export { insertServersIfNone, listServerIds, type Server, usualServerName } from './servers.service.ts'
