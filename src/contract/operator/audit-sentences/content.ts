import { CASE_WORDS, LEGAL_WORDS, PHASE_WORDS } from '../words.ts'
import {
  type Act,
  amount,
  changeOf,
  changesOf,
  custom,
  type Fields,
  isRecord,
  longText,
  momentField,
  plain,
  type Sentence,
  state,
  things,
  yesNo,
} from './audited-act.ts'
import { type Change, listed, type Part, say } from './parts.ts'
import { GAME_NAME_KINDS, GAME_NAME_WORDS, type GameNameKind, unnamed } from '../game/names.ts'
import { FEE_PAYERS, maxTeams, TOURNAMENT_FORMATS, TOURNAMENT_MODES } from '../../tournament-rules.ts'
import { formatNumber } from '../../format.ts'

/** Of what is gone the name in the sentence is enough. */
const done = (words: (act: Act) => Part[], fields: Fields): Sentence => ({
  say: words,
  changes: (act) => (act.at('after') === null ? [] : changesOf(act, fields)),
})

const SERVER: Fields = { name: plain('Tên'), position: plain('Thứ tự') }

const SOURCES = { game: 'Bảng của game', recharge: 'Xếp hạng nạp' }

const ANSWER_TEMPLATE: Fields = { title: plain('Tên'), text: plain('Nội dung') }

const onCase = (words: (act: Act) => Part[]): Sentence => ({
  say: words,
  changes: (act) => changeOf(act, state('Trạng thái', CASE_WORDS)),
})

const PERIODS = { month: 'Tháng này', week: 'Tuần này', dates: 'Khoảng ngày' }

const GROUP: Fields = {
  name: plain('Tên'),
  has_board_name: yesNo('Lấy tên của bảng'),
  description: plain('Mô tả'),
  source: state('Nguồn', SOURCES),
  board: plain('Bảng của game'),
  value_name: plain('Tên cột giá trị'),
  server_id: things('Máy chủ', 'server'),
  recharge_period: state('Thời gian tính', PERIODS),
  starts_on: plain('Từ ngày'),
  ends_on: plain('Đến ngày'),
  position: plain('Thứ tự'),
}

const POST: Fields = {
  title: plain('Tiêu đề'),
  excerpt: plain('Tóm tắt'),
  content: longText('Nội dung'),
  cover: plain('Ảnh bìa'),
  new: yesNo('Nhãn mới'),
  pinned: yesNo('Ghim'),
  published: yesNo('Đăng'),
  publish_at: momentField('Đăng lúc'),
  category_ids: things('Chuyên mục', 'category'),
}

const CATEGORY: Fields = { title: plain('Tên'), description: plain('Mô tả'), position: plain('Thứ tự') }

const PICTURE: Fields = { alt: plain('Mô tả ảnh') }

const LEGAL: Fields = {
  version: custom('Bản', (version) => (typeof version === 'number' && version > 0 ? String(version) : '')),
  content: longText('Nội dung'),
}

const legalText = ({ subject }: Act): Part => ({
  text: `“${(LEGAL_WORDS as Record<string, string>)[subject.id] ?? subject.id}”`,
  thing: subject,
})

const kindOf = ({ subject }: Act): GameNameKind =>
  GAME_NAME_KINDS.find((kind) => kind === subject.id) ?? 'item'

/** A name with its short form; empty: none. */
function nameText(named: unknown): string {
  if (!isRecord(named)) return ''
  const { name, short_name: short } = named
  return typeof short === 'string' ? `${String(name)} (ngắn: ${short})` : String(name)
}

const NAMES_SHOWN = 20

/** The first of the names that were changed. */
const namesChanged = (act: Act): Change[] =>
  act
    .list('changes')
    .slice(0, NAMES_SHOWN)
    .map((change) => {
      const { code, before, after } = isRecord(change) ? change : {}
      return { label: unnamed(kindOf(act), String(code)), before: nameText(before), after: nameText(after) }
    })

const gameNames = (act: Act): Part => ({
  text: `tên ${GAME_NAME_WORDS[kindOf(act)].toLowerCase()}`,
  thing: act.subject,
})

export const contentSentences = {
  'game-names.update': {
    say: (act) => say`đổi ${act.list('changes').length} ${gameNames(act)}`,
    changes: namesChanged,
  },
  'servers.create': done((act) => say`thêm máy chủ ${act.itself()}`, SERVER),
  'servers.update': done((act) => say`sửa máy chủ ${act.itself()}`, SERVER),
  'servers.delete': done((act) => say`xóa máy chủ ${act.itself()}`, SERVER),
  'client-errors.handle': { say: (act) => say`đánh dấu đã xử lý ${act.itself()}` },
  'cases.answer': onCase((act) => say`trả lời ${act.itself()} của ${act.person('user_id')}`),
  'cases.assign': {
    say: (act) =>
      act.text('after') === ''
        ? say`bỏ người nhận của ${act.itself()}`
        : say`giao ${act.itself()} cho ${act.person('after')}`,
  },
  'cases.close': onCase((act) => say`đóng ${act.itself()} của ${act.person('user_id')}`),
  'cases.reopen': onCase((act) => say`mở lại ${act.itself()} của ${act.person('user_id')}`),
  'answer-templates.create': done((act) => say`thêm ${act.itself()}`, ANSWER_TEMPLATE),
  'answer-templates.update': done((act) => say`sửa ${act.itself()}`, ANSWER_TEMPLATE),
  'answer-templates.delete': done((act) => say`xóa ${act.itself()}`, ANSWER_TEMPLATE),
  'groups.create': done((act) => say`thêm bảng xếp hạng ${act.itself()}`, GROUP),
  'groups.update': done((act) => say`sửa bảng xếp hạng ${act.itself()}`, GROUP),
  'groups.delete': done((act) => say`xóa bảng xếp hạng ${act.itself()}`, GROUP),
  'posts.create': done((act) => say`viết bài ${act.itself('title')}`, POST),
  'posts.update': done((act) => say`sửa bài ${act.itself('title')}`, POST),
  'posts.delete': done((act) => say`xóa bài ${act.itself('title')}`, POST),
  'posts.restore': done(
    (act) => say`khôi phục bản lưu ${act.text('revision')} của bài ${act.itself('title')}`,
    POST,
  ),
  'categories.create': done((act) => say`thêm chuyên mục ${act.itself('title')}`, CATEGORY),
  'categories.update': done((act) => say`sửa chuyên mục ${act.itself('title')}`, CATEGORY),
  'categories.delete': done((act) => say`xóa chuyên mục ${act.itself('title')}`, CATEGORY),
  'pictures.create': done((act) => say`tải lên ảnh ${act.itself('alt')}`, {}),
  'pictures.update': done((act) => say`tải lại ảnh ${act.itself('alt')}, mô tả được thay`, PICTURE),
  'pictures.delete': done((act) => say`xóa ảnh ${act.itself('alt')}`, PICTURE),
  'legal.publish': done((act) => say`công bố bản ${act.text('after.version')} của ${legalText(act)}`, LEGAL),
} satisfies Record<string, Sentence>

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
  server_id: plain('Máy chủ'),
  substitutes: plain('Số dự bị'),
  fee_payer: state('Người đóng lệ phí', FEE_PAYERS),
  check_in_minutes: amount('Điểm danh trước', 'phút'),
  allowed_classes: things('Trường dự thi', 'class'),
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
  if (result['is_void'] === true) return 'cả hai đội vắng mặt'
  const games = `${Number(first ?? 0)}–${Number(second ?? 0)}`
  const score =
    absent === null || absent === undefined ? games : `đội ${absent === 1 ? 'trên' : 'dưới'} vắng mặt`
  if (winner !== null && winner !== undefined)
    return `${score}, thắng: ${act.thing('team', String(winner)).text}`
  return games === '0–0' ? '' : `${games}, đang đấu`
}

const matchChange = (act: Act): Change[] => [
  {
    label: `Trận ${act.number('after.position')}`,
    before: resultText(act, act.at('before')),
    after: resultText(act, act.at('after')),
  },
]

const match = (act: Act): Part[] => say`trận ${act.number('after.position')} của giải ${act.itself()}`

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
    say: (act) => say`bốc thăm ${act.number('after.team_count')} đội của giải ${act.itself()}`,
  },
  'tournaments.open': { say: (act) => say`mở đăng ký giải ${act.itself()}` },
  'tournaments.close': { say: (act) => say`đóng đăng ký giải ${act.itself()}` },
  'tournaments.freeze': {
    say: (act) =>
      say`chốt danh sách ${act.number('after.team_count')} đội của giải ${act.itself()} để bốc thăm`,
  },
  'tournaments.seeds': {
    say: (act) =>
      act.list('after.seeds').length === 0
        ? say`bỏ mọi hạt giống của giải ${act.itself()}`
        : say`chọn hạt giống của giải ${act.itself()}: ${teamsIn(act, 'after.seeds')}`,
  },
  'tournaments.reveal': {
    say: (act) => say`công bố đội bốc thăm thứ ${act.number('after.revealed')} của giải ${act.itself()}`,
  },
  'tournaments.call': { say: (act) => say`gọi ${match(act)}` },
  'tournaments.present': {
    say: (act) =>
      say`ghi đội ${act.number('after.side') === 1 ? 'trên' : 'dưới'} ${act.at('after.is_present') === true ? 'có mặt' : 'chưa có mặt'} ở ${match(act)}`,
  },
  'tournaments.result': { say: (act) => say`ghi kết quả ${match(act)}`, changes: matchChange },
  'tournaments.correct': {
    say: (act) => {
      const again = act.list('after.again').length
      return again === 0
        ? say`sửa kết quả ${match(act)}`
        : say`sửa kết quả ${match(act)}, ${again} trận sau phải đấu lại`
    },
    changes: matchChange,
  },
  'tournaments.undo': {
    say: (act) => say`hoàn tác thao tác ${act.number('before.number')} của giải ${act.itself()}`,
  },
  'tournaments.pause': { say: (act) => say`tạm dừng giải ${act.itself()}` },
  'tournaments.resume': { say: (act) => say`cho giải ${act.itself()} tiếp tục` },
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
