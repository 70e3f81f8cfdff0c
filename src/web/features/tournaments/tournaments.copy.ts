import { CALL_SECONDS, type TournamentPhase } from '#contract/tournament-rules.ts'
import type { BadgeTone } from '#ui/badge.tsx'

export const tournamentsCopy = {
  headOf: (format: string, registration: string, competition: string) =>
    `Giải ${format}, mở đăng ký ${registration}, thi đấu từ ${competition}. Thể lệ, nhánh đấu và kết quả từng vòng.`,
  description: 'Các giải đấu của làng ninja: ngày đăng ký, ngày thi đấu, nhánh đấu và kết quả từng vòng.',
  lead: 'Lịch, thể lệ và kết quả của mọi giải đấu, giải mới nhất ở trên cùng.',
  none: 'Chưa có giải đấu nào được công bố.',
  noneMore: 'Tin về giải đấu mới sẽ có ở trang chủ.',
  toHome: 'Về trang chủ',
  all: 'Tất cả giải đấu',
  see: 'Xem giải đấu',

  rules: 'Thể lệ',
  registration: 'Mở đăng ký',
  competition: 'Bắt đầu thi đấu',
  mode: 'Chia cặp',
  fee: 'Lệ phí',
  luong: (luong: string) => `${luong} lượng`,
  free: 'Miễn phí',
  format: 'Thể thức',
  unknown: 'Chưa rõ',
  levels: 'Cấp tham gia',
  levelRange: (min: number, max: number) => `Từ ${min} đến ${max}`,
  classes: 'Trường dự thi',
  allClasses: 'Tất cả các trường',
  allClassesAndNone: 'Tất cả, kể cả người chưa vào trường',
  teams: 'Số đội tối đa',
  unlimited: 'Không giới hạn',
  teamCount: (teams: string) => `${teams} đội`,
  registered: 'Đã đăng ký',
  winner: 'Vô địch',
  callRule: `Mỗi đội được gọi tên có ${CALL_SECONDS / 60} phút để chuẩn bị. Đội vắng mặt bị xử thua.`,

  untilRegistration: 'Mở đăng ký sau',
  untilCompetition: 'Thi đấu sau',

  schedule: 'Lịch thi đấu',
  noSchedule: 'Chưa có lịch thi đấu',
  noScheduleMore: 'Nhánh đấu hiện ở đây ngay sau khi chia cặp.',
  live: 'Trang tự cập nhật 10 giây một lần khi giải đang diễn ra.',
  points: (points: number) => `${points} điểm`,
  pointsNote: 'Điểm của mỗi vòng là số ván thắng tối đa của một đội trong một trận.',
  now: 'Đang đấu',
  roundEmpty: 'Chờ kết quả vòng trước.',
  waitsForWinner: 'Chờ đội thắng',
  waitsForLoser: 'Chờ đội thua trận bán kết',
  won: 'Thắng',
  absent: 'Vắng mặt',
  bye: 'Không có đối thủ',
  match: (position: number) => `Trận ${position}`,
  notPlayed: 'Chưa đấu',
} as const

export const phaseLabels: Record<TournamentPhase, { label: string; tone: BadgeTone }> = {
  announced: { label: 'Sắp mở đăng ký', tone: 'note' },
  registering: { label: 'Đang mở đăng ký', tone: 'success' },
  drawing: { label: 'Chờ chia cặp', tone: 'waiting' },
  running: { label: 'Đang diễn ra', tone: 'danger' },
  finished: { label: 'Đã kết thúc', tone: 'note' },
  cancelled: { label: 'Đã hủy', tone: 'note' },
}
