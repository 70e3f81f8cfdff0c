export { registerLegal } from './legal.routes.ts'
export { registerOperatorLegal } from './legal.operator.ts'
