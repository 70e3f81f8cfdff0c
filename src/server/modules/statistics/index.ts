export { startFigureJobs, startStatisticsJobs } from './figures.service.ts'
export { registerOperatorStatistics, computeStatistics } from './statistics.service.ts'
