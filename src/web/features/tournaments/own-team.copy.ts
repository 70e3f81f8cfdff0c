/** The texts of a player's own team. */
export const teamCopy = {
  title: 'Đội của bạn',
  remindMe: 'Nhắc tôi',
  remindNoMore: 'Thôi nhắc',
  remindText: 'Bấm để cổng báo cho bạn khi giải bắt đầu.',
  reminded: 'Cổng sẽ báo cho bạn khi giải bắt đầu.',
  remindWays: 'Nhận bằng cách nào',
  signUp: 'Đăng ký thi đấu',
  soon: (moment: string) => `Đăng ký mở lúc ${moment}.`,
  character: 'Nhân vật thi đấu',
  visitor: 'Đăng nhập để chọn nhân vật.',
  name: 'Tên đội',
  nameHint: 'Tối đa 60 ký tự. Mọi người xem giải đều thấy.',
  members: 'Mời đồng đội',
  membersHint: (size: number, substitutes: number) =>
    substitutes > 0
      ? `Đội có ${size} người và tối đa ${substitutes} dự bị. Nhập tên đăng nhập của người được mời; người vào sau khi đủ đội là dự bị.`
      : `Đội có ${size} người. Nhập tên đăng nhập của từng người được mời.`,
  member: (number: number) => `Thành viên ${number}`,
  inviteLater: 'Có thể để trống rồi mời sau.',
  submit: 'Đăng ký đội',
  registered: 'Đã đăng ký',
  feeCaptain: (fee: string) => `Lệ phí ${fee} được trừ ở nhân vật của đội trưởng khi cả đội đã nhận lời.`,
  feeMember: (fee: string) => `Lệ phí cả đội ${fee}, mỗi thành viên đóng một phần khi cả đội đã nhận lời.`,
  noFee: 'Giải miễn phí.',

  states: {
    held: 'Đang giữ chỗ',
    admitted: 'Đã vào giải',
    waiting: 'Danh sách chờ',
    withdrawn: 'Không thi đấu',
  },
  heldUntil: (moment: string) =>
    `Chỗ được giữ đến ${moment}, khi mọi người đã nhận lời và lệ phí đã đóng thì đội vào giải.`,
  waitingAt: (position: number) => `Đội đứng thứ ${position} trong danh sách chờ.`,
  movesUp: {
    'by-itself': 'Đội tự lên khi có chỗ trống, cho đến lúc bốc thăm. Bạn không phải làm gì thêm.',
    'if-checked-in': 'Trước khi đóng đăng ký, đội tự lên khi có chỗ trống.',
  },
  waitingCheckIn: (from: string, by: string) =>
    `Điểm danh từ ${from} đến ${by}: khi đóng đăng ký, đội chờ đã điểm danh được giữ lại và lên nếu có chỗ trống, đội chưa điểm danh ra khỏi danh sách.`,
  withdrawnFor: {
    left: 'Đội đã rút khỏi giải.',
    expired: 'Đội chưa đủ người hoặc chưa đóng lệ phí khi hết giờ giữ chỗ.',
    absent: 'Đội chưa điểm danh khi đóng đăng ký.',
    'not-admitted': 'Đội chưa đủ người khi đóng đăng ký, hoặc chưa có chỗ và đóng lệ phí khi bốc thăm.',
    operator: 'Ban tổ chức đã cho đội rút khỏi giải.',
    cancelled: 'Giải đã bị hủy.',
  },
  captain: 'Đội trưởng',
  substitute: 'Dự bị',
  you: 'bạn',
  memberStates: { accepted: 'Đã nhận lời', invited: 'Chờ trả lời', declined: 'Đã từ chối' },

  fee: 'Lệ phí',
  charges: {
    pending: 'Đang trừ',
    applied: 'Đã đóng',
    refused: 'Chưa trừ được',
    refunding: 'Đang trả lại',
    refunded: 'Đã trả lại',
  },
  retry: 'Thử lại',
  retried: 'Đang trừ lệ phí lần nữa',

  checkIn: 'Điểm danh',
  checkedIn: (moment: string) => `Đã điểm danh lúc ${moment}.`,
  checkInFrom: (from: string, until: string) => `Điểm danh từ ${from} đến ${until}. Đội vắng sẽ mất chỗ.`,
  checkedInToast: 'Đã điểm danh',
  listClosed: 'Danh sách đội đã chốt để bốc thăm: tên và thành viên không đổi được nữa.',

  edit: 'Sửa đội',
  save: 'Lưu',
  saved: 'Đã lưu',
  cancelEdit: 'Thôi',
  leave: 'Rời đội',
  withdraw: 'Rút đội khỏi giải',
  leaveTitle: 'Rời đội này?',
  withdrawTitle: 'Rút đội khỏi giải?',
  leaveWarning: 'Bạn cần được mời lại nếu muốn trở lại. Lệ phí bạn đã đóng được trả lại trong game.',
  withdrawWarning: 'Chỗ của đội được nhường cho đội khác. Lệ phí đã đóng được trả lại trong game.',

  answerBy: (moment: string) => `Trả lời trước ${moment}.`,
  accept: 'Nhận lời',
  accepted: 'Bạn đã vào đội',
  decline: 'Từ chối',
} as const
