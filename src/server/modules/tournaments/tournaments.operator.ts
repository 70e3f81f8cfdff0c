import { PHASE_WORDS } from '#contract/operator/words.ts'
import { csvMoment } from '#server/platform/values/csv.rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { operatorTournaments as calls } from '#contract/operator/tournaments.ts'
import { TOURNAMENT_FORMATS } from '#contract/tournament-rules.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { Beacon } from './beacon.service.ts'
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

export function registerOperatorTournaments(api: Api, deps: PlatformDeps & { beacon: Beacon }): void {
  serveOperatorList(api, deps, calls.list, {
    usualSort: ['competition_start_at', 'DESC'],
    rows: (_db, filter, page) => listOperatorTournaments(deps, filter, page),
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
  api.serveAll(calls, deps, {
    create: createTournament,
    update: changeTournament,
    cancel: cancelTournament,
    addTeams,
    updateTeam: changeTeam,
    withdrawTeam,
    open: openRegistration,
    close: closeRegistration,
    seeds: seedTeams,
    draw: drawTournament,
    revealNext,
    callMatch,
    markPresent,
    saveResult,
    saveResults,
    correctResult,
    undo,
    pause: pauseTournament,
    resume: resumeTournament,
    nextRound: openNextRound,
    finish: finishTournament,
  })
}
