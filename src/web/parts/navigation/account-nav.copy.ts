export const accountNavCopy = {
  account: 'Tài khoản',
} as const
