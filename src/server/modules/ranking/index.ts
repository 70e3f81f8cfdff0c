export { registerRanking, registerOperatorGroups } from './ranking.routes.ts'
export { startRankingJobs, personalRanking } from './ranking.service.ts'
export { importGroups } from './groups.service.ts'
