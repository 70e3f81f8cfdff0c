export { startAlarmJobs } from './alarm-webhook.service.ts'
export { registerOperatorAlarms } from './alarms.operator.ts'
