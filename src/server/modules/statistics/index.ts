export { startFigureJobs, startStatisticsJobs } from './statistics.jobs.ts'
export { registerOperatorStatistics } from './statistics.operator.ts'
