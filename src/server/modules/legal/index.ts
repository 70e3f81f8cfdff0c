export { registerLegal, registerOperatorLegal } from './legal.routes.ts'
export { findCurrentVersion } from './legal.service.ts'
