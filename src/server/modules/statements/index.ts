export { findTransaction, listStatement } from './statements.service.ts'
export { registerOperatorLedger, registerStatements } from './statements.routes.ts'
