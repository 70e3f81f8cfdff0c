export { registerOperatorLedger } from './ledger.operator.ts'
export { registerStatements } from './statements.routes.ts'
