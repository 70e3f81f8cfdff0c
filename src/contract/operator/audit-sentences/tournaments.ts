import { CLASS_NAMES } from '../../class-names.ts'
import { maxTeams, TOURNAMENT_FORMATS, TOURNAMENT_MODES } from '../../tournament-rules.ts'
import { formatNumber } from '../../format-number.ts'
import { PHASE_WORDS } from '../words.ts'
import { isRecord, type Act } from './audited-act.ts'
import { amount, changesOf, custom, momentField, plain, state, type Fields } from './changes.ts'
import { listed, say, type Change, type Part } from './parts.ts'
import type { Sentence } from './sentence.ts'

const PLACES = custom('Số đội tối đa', (rounds) => {
  if (typeof rounds !== 'number') return ''
  const teams = maxTeams(rounds)
  return teams === null ? 'Không giới hạn' : `${formatNumber(teams)} đội`
})

const TOURNAMENT: Fields = {
  name: plain('Tên giải'),
  registration_start_at: momentField('Mở đăng ký'),
  competition_start_at: momentField('Bắt đầu thi đấu'),
  mode: state('Chia cặp', TOURNAMENT_MODES),
  fee: amount('Lệ phí', 'lượng'),
  type: state('Thể thức', TOURNAMENT_FORMATS),
  min_level: plain('Từ cấp'),
  max_level: plain('Đến cấp'),
  max_round: PLACES,
  prize: plain('Giải thưởng'),
  how_to_register: plain('Cách đăng ký'),
  allowed_classes: custom('Trường dự thi', (value) =>
    Array.isArray(value) ? value.map((one) => CLASS_NAMES[Number(one)] ?? String(one)).join(', ') : '',
  ),
}

const TEAMS_NAMED = 5

/** The first few teams of a list by name. */
function teamsIn(act: Act, path: string): Part[] {
  const ids = act.list(path)
  const named = listed(ids.slice(0, TEAMS_NAMED).map((id) => act.thing('team', String(id))))
  return ids.length > TEAMS_NAMED ? say`${named} và ${ids.length - TEAMS_NAMED} đội khác` : named
}

const team = (act: Act, path: string): Part => act.thing('team', act.text(path))

function resultText(act: Act, result: unknown): string {
  if (!isRecord(result)) return ''
  const {
    team1_win_count: first,
    team2_win_count: second,
    absent_side: absent,
    winning_team_id: winner,
  } = result
  const score =
    absent === null || absent === undefined
      ? `${Number(first ?? 0)}–${Number(second ?? 0)}`
      : `đội ${absent === 1 ? 'trên' : 'dưới'} vắng mặt`
  return winner === null || winner === undefined
    ? ''
    : `${score}, thắng: ${act.thing('team', String(winner)).text}`
}

/** Each match of which a result was written. */
function results(act: Act): Change[] {
  const before = act.list('before.results')
  return act.list('after.results').map((result, index) => ({
    label: `Trận ${isRecord(result) ? Number(result['position'] ?? index + 1) : index + 1}`,
    before: resultText(act, before[index]),
    after: resultText(act, result),
  }))
}

export const tournamentSentences = {
  'tournaments.create': {
    say: (act) => say`tạo giải đấu ${act.itself()}`,
    changes: (act) => changesOf(act, TOURNAMENT),
  },
  'tournaments.update': {
    say: (act) => say`sửa giải đấu ${act.itself()}`,
    changes: (act) => changesOf(act, TOURNAMENT),
  },
  'tournaments.cancel': {
    say: (act) => say`hủy giải đấu ${act.itself()}`,
    changes: (act) => changesOf(act, { phase: state('Giai đoạn', PHASE_WORDS) }),
  },
  'tournaments.teams-add': {
    say: (act) =>
      say`đăng ký ${act.list('after.added').length} đội vào giải ${act.itself()}: ${teamsIn(act, 'after.added')}`,
    changes: (act) => changesOf(act, { team_count: plain('Số đội') }),
  },
  'tournaments.team-update': { say: (act) => say`sửa ${team(act, 'after.id')} của giải ${act.itself()}` },
  'tournaments.team-withdraw': { say: (act) => say`rút ${team(act, 'before.id')} khỏi giải ${act.itself()}` },
  'tournaments.draw': {
    say: (act) =>
      say`bốc thăm ${act.list('after.order').length} đội của giải ${act.itself()}, mã bốc thăm ${act.text('after.draw_seed')}`,
  },
  'tournaments.results': {
    say: (act) => say`ghi kết quả ${act.list('after.results').length} trận của giải ${act.itself()}`,
    changes: results,
  },
  'tournaments.next-round': {
    say: (act) => say`mở vòng “${act.text('after.name')}” của giải ${act.itself()}`,
    changes: (act) => changesOf(act, { name: plain('Vòng') }),
  },
  'tournaments.finish': {
    say: (act) => {
      const champion =
        act.text('after.winning_team_id') === ''
          ? []
          : say`, vô địch là ${team(act, 'after.winning_team_id')}`
      return say`kết thúc giải ${act.itself()}${champion}`
    },
  },
} satisfies Record<string, Sentence>
