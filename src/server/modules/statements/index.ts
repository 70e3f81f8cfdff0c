export { registerStatements } from './statements.routes.ts'
