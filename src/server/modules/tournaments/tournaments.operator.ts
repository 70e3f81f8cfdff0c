import { PHASE_WORDS } from '#contract/operator/words.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { operatorTournaments as calls } from '#contract/operator/tournaments.ts'
import { TOURNAMENT_FORMATS } from '#contract/tournament-rules.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  cancelTournament,
  changeTournament,
  createTournament,
  getOperatorTournament,
  listOperatorTournaments,
} from './operator-tournaments.service.ts'
import {
  callMatch,
  correctResult,
  finishTournament,
  markPresent,
  openNextRound,
  pauseTournament,
  resumeTournament,
  saveResult,
  saveResults,
  undo,
} from './desk.service.ts'
import { closeRegistration, drawTournament, openRegistration, revealNext, seedTeams } from './draw.service.ts'
import { addTeams, changeTeam, withdrawTeam } from './teams.service.ts'

export function registerOperatorTournaments(api: Api, deps: PlatformDeps): void {
  serveOperatorList(api, deps, calls.list, {
    resource: 'tournaments',
    usualSort: ['competition_start_at', 'DESC'],
    rows: (filter, page) => listOperatorTournaments(deps, filter, page),
    file: {
      Mã: ({ id }) => id,
      'Tên giải': ({ name }) => name,
      'Giai đoạn': ({ phase }) => PHASE_WORDS[phase],
      'Mở đăng ký': ({ registration_start_at }) => csvMoment(registration_start_at),
      'Bắt đầu thi đấu': ({ competition_start_at }) => csvMoment(competition_start_at),
      'Thể thức': ({ type }) => (TOURNAMENT_FORMATS as Record<number, string>)[type] ?? type,
      'Lệ phí (lượng)': ({ fee }) => fee,
      'Từ cấp': ({ min_level }) => min_level,
      'Đến cấp': ({ max_level }) => max_level,
      'Số đội': ({ team_count }) => team_count,
      'Vô địch': ({ winner }) => winner,
    },
  })
  api.serve(calls.get, ({ params }) => getOperatorTournament(deps.db, params.id, deps.clock.now()))
  api.serve(calls.create, (call) => createTournament(deps, call))
  api.serve(calls.update, (call) => changeTournament(deps, call))
  api.serve(calls.cancel, (call) => cancelTournament(deps, call))
  api.serve(calls.addTeams, (call) => addTeams(deps, call))
  api.serve(calls.updateTeam, (call) => changeTeam(deps, call))
  api.serve(calls.withdrawTeam, (call) => withdrawTeam(deps, call))
  api.serve(calls.open, (call) => openRegistration(deps, call))
  api.serve(calls.close, (call) => closeRegistration(deps, call))
  api.serve(calls.seeds, (call) => seedTeams(deps, call))
  api.serve(calls.draw, (call) => drawTournament(deps, call))
  api.serve(calls.revealNext, (call) => revealNext(deps, call))
  api.serve(calls.callMatch, (call) => callMatch(deps, call))
  api.serve(calls.markPresent, (call) => markPresent(deps, call))
  api.serve(calls.saveResult, (call) => saveResult(deps, call))
  api.serve(calls.saveResults, (call) => saveResults(deps, call))
  api.serve(calls.correctResult, (call) => correctResult(deps, call))
  api.serve(calls.undo, (call) => undo(deps, call))
  api.serve(calls.pause, (call) => pauseTournament(deps, call))
  api.serve(calls.resume, (call) => resumeTournament(deps, call))
  api.serve(calls.nextRound, (call) => openNextRound(deps, call))
  api.serve(calls.finish, (call) => finishTournament(deps, call))
}
