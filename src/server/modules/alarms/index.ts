export { registerOperatorAlarms } from './alarms.operator.ts'
