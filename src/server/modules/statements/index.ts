export { registerOperatorLedger } from './ledger.operator.ts'
export { findTransaction, listStatement } from './statements.service.ts'
export { registerStatements } from './statements.routes.ts'
