export { registerTournamentCalendars, registerTournaments } from './tournaments.routes.ts'
export { registerOperatorTournaments } from './tournaments.operator.ts'
export {
  listTournamentPaths,
  importTournaments,
  type ImportedTournament,
  findTournamentName,
  personalTeams,
} from './tournaments.service.ts'
export { startChargeWorker } from './charges.service.ts'
export { startPlaceJobs } from './places.service.ts'
export { registerLiveTournaments } from './live.service.ts'
export { readDraw } from './draw.service.ts'
export { verifyDraw, type PublishedDraw } from './draw.rules.ts'
