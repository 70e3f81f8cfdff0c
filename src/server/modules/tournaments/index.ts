export { registerTournamentCalendars, registerTournaments } from './tournaments.routes.ts'
export { registerOperatorTournaments } from './tournaments.operator.ts'
export {
  listTournamentPaths,
  importTournaments,
  type ImportedTournament,
  findTournamentName,
  nextMatchOf,
  personalTeams,
} from './tournaments.service.ts'
export { startChargeWorker } from './charges.service.ts'
export { startPlaceJobs } from './places.service.ts'
export { registerLiveTournaments } from './live.service.ts'
export { readDraw, readRecordedDraw } from './draw.service.ts'
export {
  listClosedAt,
  verifyDraw,
  verifyPromise,
  type PublishedDraw,
  type RecordedDraw,
} from './draw.rules.ts'
