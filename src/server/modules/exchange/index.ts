export { registerExchange } from './exchange.routes.ts'
