export { registerRanking } from './ranking.routes.ts'
export { registerOperatorGroups } from './ranking.operator.ts'
export { startRankingJobs } from './ranking.jobs.ts'
export { importGroups } from './groups-import.service.ts'
