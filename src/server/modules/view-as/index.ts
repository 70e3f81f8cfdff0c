export { registerViewAs } from './view-as.operator.ts'
