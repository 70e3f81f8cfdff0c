/** The texts of the frame that players alone see. */
export const playerFrameCopy = {
  /** The server's name follows. */
  player: 'Chào, máy chủ ',
  balance: 'Số dư: ',
  logout: 'Đăng xuất',

  banTitle: 'Thông báo khóa',
  banned: (end: string) => `Tài khoản bị khóa giao dịch ${end}.`,
  banReason: (sentence: string) => ` Lý do: ${sentence}`,
  banAllows: ' Bạn vẫn có thể đọc tin và xem lịch sử của mình.',
  activation: 'Kích hoạt tài khoản',
  notActivated: 'Tài khoản chưa kích hoạt.',
  activateFor: (fee: string | null) => ` Kích hoạt một lần${fee ? ` với ${fee} TCoin` : ''} để giao dịch.`,
  activate: 'Kích hoạt',
} as const
