export { registerTournaments } from './tournaments.routes.ts'
export { registerOperatorTournaments } from './tournaments.operator.ts'
export {
  listTournamentPaths,
  importTournaments,
  type ImportedTournament,
  findTournamentName,
  personalTeams,
} from './tournaments.service.ts'
