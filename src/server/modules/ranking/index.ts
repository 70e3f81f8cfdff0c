export { registerRanking, registerOperatorGroups } from './ranking.routes.ts'
export { startRankingJobs } from './refresh.service.ts'
export { personalRanking } from './nickname.service.ts'
export { importGroups } from './groups.service.ts'
