export { startAlarmJobs } from './alarms.jobs.ts'
export { registerOperatorAlarms } from './alarms.operator.ts'
