export { registerTournaments } from './tournaments.routes.ts'
export { registerOperatorTournaments } from './tournaments.operator.ts'
export { listTournamentPaths } from './tournaments.service.ts'
export { importTournaments, type ImportedTournament } from './tournaments-import.service.ts'
