export { registerLegal, registerOperatorLegal } from './legal.routes.ts'
export { findCurrentVersion, findCurrentVersions } from './legal.service.ts'
