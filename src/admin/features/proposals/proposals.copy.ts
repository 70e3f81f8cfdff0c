import { formatNumber } from '#contract/format-number.ts'

export const proposalsCopy = {
  title: 'Đề xuất',
  waitingForMe: 'Chờ bạn quyết định',
  mine: 'Bạn đã đề xuất, đang chờ người khác',
  decided: 'Tất cả đề xuất',
  nothingWaits:
    'Không có gì chờ bạn. Thay đổi tài khoản nhận tiền, hạn mức cộng tay, điều chỉnh số dư lớn và gỡ xác thực hai lớp của người khác, cộng hoặc thu hồi khoản chuyển lớn sẽ hiện ở đây trước khi có hiệu lực.',
  nothingMine: 'Bạn không có đề xuất nào đang chờ.',
  none: 'Chưa có đề xuất nào.',
  proposedBy: (name: string, moment: string) => `${name} đề xuất lúc ${moment}`,
  takesEffect: (moment: string) =>
    `Không có người thứ hai: tự có hiệu lực lúc ${moment} nếu không bị rút lại.`,
  outdated: 'Giá trị đã thay đổi từ khi đề xuất: không duyệt được nữa, chỉ bác hoặc rút lại.',
  approve: 'Duyệt',
  reject: 'Bác',
  withdraw: 'Rút lại',
  approveTitle: 'Duyệt đề xuất',
  rejectTitle: 'Bác đề xuất',
  withdrawTitle: 'Rút lại đề xuất',
  checked: 'Duyệt là có hiệu lực ngay. Hãy kiểm tra giá trị mới bằng cách khác với người đề xuất.',
  onPlayers: {
    adjustment: (name: string) => `Điều chỉnh số dư của ${name}`,
    'second-factor': (name: string) => `Gỡ xác thực hai lớp của ${name}`,
    'bank-transfer': (name: string) => `Khoản chuyển cho ${name}`,
  },
  coins: (amount: number) => `${amount > 0 ? '+' : '−'}${formatNumber(Math.abs(amount))} TCoin`,
  factorOff: 'Tắt xác thực hai lớp',
  seePlayer: 'Xem người chơi',
  seeTransfer: 'Xem khoản chuyển',
  columns: {
    what: 'Thay đổi',
    after: 'Giá trị mới',
    proposer: 'Người đề xuất',
    at: 'Lúc',
    state: 'Trạng thái',
    decider: 'Người quyết định',
    reason: 'Lí do',
  },
  states: {
    waiting: 'Đang chờ',
    approved: 'Đã duyệt',
    rejected: 'Đã bác',
    withdrawn: 'Đã rút',
    effective: 'Tự có hiệu lực',
    outdated: 'Quá hạn',
  },
} as const
