export { startFigureJobs, startStatisticsJobs } from './statistics.jobs.ts'
export { registerOperatorStatistics } from './statistics.operator.ts'
export { computeStatistics } from './statistics.service.ts'
