export { registerExchange } from './exchange.routes.ts'
export type { ExchangeDeps } from './exchange.service.ts'
