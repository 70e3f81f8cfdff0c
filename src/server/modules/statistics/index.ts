export { startFigureJobs, startStatisticsJobs } from './figures.service.ts'
export { registerOperatorStatistics } from './statistics.operator.ts'
export { computeStatistics } from './statistics.service.ts'
