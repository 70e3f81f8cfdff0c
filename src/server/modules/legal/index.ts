export { registerLegal } from './legal.routes.ts'
export { findCurrentVersion } from './legal.queries.ts'
export { registerOperatorLegal } from './legal.operator.ts'
