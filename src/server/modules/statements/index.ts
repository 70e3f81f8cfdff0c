export { registerOperatorLedger } from './ledger.operator.ts'
export { listStatement } from './statements.service.ts'
export { registerStatements } from './statements.routes.ts'
