export const accountNavCopy = {
  account: 'Tài khoản',
  profile: 'Hồ sơ',
  statement: 'Lịch sử',
  purchases: 'Đã mua',
  transfer: 'Chuyển TCoin',
} as const
