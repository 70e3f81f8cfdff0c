import { operatorTournaments as calls } from '#contract/operator/tournaments.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { TournamentsDeps } from './acting.service.ts'
import {
  cancelTournament,
  changeTournament,
  createTournament,
  getOperatorTournament,
  listOperatorTournaments,
} from './operator-tournaments.service.ts'
import { drawTournament, finishTournament, openNextRound, saveResults } from './rounds.service.ts'
import { addTeams, changeTeam, withdrawTeam } from './teams.service.ts'

export function registerOperatorTournaments(api: Api, deps: TournamentsDeps): void {
  serveOperatorList(api, deps, calls.list, {
    resource: 'tournaments',
    usualSort: ['competition_start_at', 'DESC'],
    rows: (filter, page) => listOperatorTournaments(deps, filter, page),
  })
  api.serve(calls.get, ({ params }) => getOperatorTournament(deps.db, params.id, deps.clock.now()))
  api.serve(calls.create, (call) => createTournament(deps, call))
  api.serve(calls.update, (call) => changeTournament(deps, call))
  api.serve(calls.cancel, (call) => cancelTournament(deps, call))
  api.serve(calls.addTeams, (call) => addTeams(deps, call))
  api.serve(calls.updateTeam, (call) => changeTeam(deps, call))
  api.serve(calls.withdrawTeam, (call) => withdrawTeam(deps, call))
  api.serve(calls.draw, (call) => drawTournament(deps, call))
  api.serve(calls.saveResults, (call) => saveResults(deps, call))
  api.serve(calls.nextRound, (call) => openNextRound(deps, call))
  api.serve(calls.finish, (call) => finishTournament(deps, call))
}
