export const transfersCopy = {
  activeTitle: 'Kích hoạt tài khoản',
  activeWhy: 'Kích hoạt một lần duy nhất để mở các tính năng giao dịch: chuyển TCoin, đổi lượng và mua quà.',
  fee: 'Phí kích hoạt',
  balance: 'Số dư hiện tại',
  activate: 'Kích hoạt',
  recharge: 'Nạp TCoin',
  missing: (amount: string) => `Bạn còn thiếu: ${amount}, vui lòng nạp thêm tiền`,
} as const
