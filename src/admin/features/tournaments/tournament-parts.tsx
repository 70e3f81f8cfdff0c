import { PHASE_WORDS } from '#contract/operator/words.ts'
import type { TournamentPhase } from '#contract/tournament-rules.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

export const tournamentsCopy = {
  empty: 'Chưa có giải đấu nào. Bấm “Tạo giải” để công bố giải đầu tiên.',
  create: 'Tạo giải',
  edit: 'Sửa thông tin',
  name: 'Tên giải',
  phase: 'Giai đoạn',
  registration: 'Mở đăng ký',
  competition: 'Bắt đầu thi đấu',
  competitionHint: 'Đăng ký đóng vào lúc này, hoặc khi bốc thăm.',
  mode: 'Chia cặp',
  fee: 'Lệ phí (lượng)',
  type: 'Thể thức',
  minLevel: 'Từ cấp',
  maxLevel: 'Đến cấp',
  rounds: 'Số đội tối đa',
  unlimited: 'Không giới hạn',
  upTo: (teams: string) => `${teams} đội`,
  classes: 'Trường dự thi',
  unsaid: 'Chưa ghi',
  prize: 'Giải thưởng',
  prizeHint: 'Hiện ngay trên áp phích của giải. Ví dụ: Vô địch 5,000 lượng, á quân 2,000 lượng.',
  howToRegister: 'Cách đăng ký',
  howToRegisterHint: 'Đội báo danh ở đâu, với ai, cần những gì.',
  teams: 'Đội',
  seePlayers: 'Xem như người chơi',
  champion: 'Vô địch',
  seed: 'Mã bốc thăm',
  conflict: {
    title: 'Giải vừa được người khác sửa',
    elsewhere: 'Thay đổi không nằm ở các mục trên đây.',
    choice: 'Bấm Lưu lần nữa để ghi đè bằng những gì bạn nhập, hoặc quay lại để giữ bản của họ.',
  },
  cancel: {
    label: 'Hủy giải',
    text: 'Giải được giữ lại và hiện là đã hủy với người chơi. Không mở lại được.',
  },
  draw: {
    label: 'Bốc thăm',
    text: (teams: number) =>
      `Bốc thăm ngẫu nhiên ${teams} đội và lập nhánh đấu. Đăng ký đóng lại và không bốc lại được. Mã bốc thăm được ghi vào nhật ký để ai cũng kiểm tra lại được.`,
  },
  next: {
    label: 'Mở vòng tiếp theo',
    text: (name: string) => `Kết quả của vòng này được giữ nguyên, giải chuyển sang: ${name}.`,
  },
  finish: {
    label: 'Kết thúc giải',
    text: (team: string) => `Đội vô địch là ${team}. Giải kết thúc và không sửa kết quả được nữa.`,
  },
  team: {
    add: 'Đăng ký đội',
    list: 'Danh sách đội',
    listHint: (size: number) =>
      `Mỗi dòng một đội: tên đội, dấu hai chấm, rồi tên nhân vật cách nhau bằng dấu phẩy (tối đa ${size}). Ví dụ: Bạch Vân: Mây, Gió`,
    none: 'Chưa có đội nào đăng ký.',
    closed: 'Đội chỉ đăng ký được từ ngày mở đăng ký đến ngày thi đấu, trước khi bốc thăm.',
    name: 'Tên đội',
    members: 'Thành viên',
    membersHint: 'Tên nhân vật, cách nhau bằng dấu phẩy.',
    edit: 'Sửa đội',
    editOf: (name: string) => `Sửa đội ${name}`,
    acts: 'Thao tác',
    withdraw: 'Rút đội',
    withdrawOf: (name: string) => `Rút đội ${name}`,
    withdrawText: 'Đội bị xóa khỏi danh sách đăng ký.',
  },
  bracket: {
    title: 'Nhánh đấu',
    none: 'Nhánh đấu hiện ở đây sau khi bốc thăm.',
    points: (points: number) => `tối đa ${points} ván thắng mỗi đội`,
    current: 'Đang đấu',
    match: (position: number) => `Trận ${position}`,
    wins: (match: string, team: string) => `${match}, số ván thắng của ${team}`,
    absent: 'Vắng mặt',
    nobody: 'Không đội nào',
    bye: 'không có đối thủ',
    waiting: 'chưa rõ',
    theirs: (result: string) => `Người khác vừa ghi ${result}.`,
    absentTeam: (result: string, team: string) => `${result}, ${team} vắng mặt`,
    keepMine: 'Giữ kết quả của tôi',
    takeTheirs: 'Lấy kết quả của họ',
    tie: 'Hòa',
    save: 'Lưu kết quả',
    reason: 'Lí do ghi vào nhật ký',
    reasonOf: (round: string) => `Kết quả ${round}`,
    hint: 'Nhập số ván thắng, Tab để sang ô kế tiếp, Enter để lưu. Đội vắng mặt sau một phút bị xử thua.',
  },
} as const

export const phaseLabels: Record<TournamentPhase, { label: string; tone: BadgeTone }> = {
  announced: { label: PHASE_WORDS.announced, tone: 'note' },
  registering: { label: PHASE_WORDS.registering, tone: 'success' },
  drawing: { label: PHASE_WORDS.drawing, tone: 'waiting' },
  running: { label: PHASE_WORDS.running, tone: 'danger' },
  finished: { label: PHASE_WORDS.finished, tone: 'note' },
  cancelled: { label: PHASE_WORDS.cancelled, tone: 'note' },
}

export function PhaseBadge({ phase }: { phase: TournamentPhase }) {
  const { label, tone } = phaseLabels[phase]
  return <Badge tone={tone}>{label}</Badge>
}
