export const formsCopy = {
  newPassword: 'Mật khẩu mới',
  newPasswordHint: 'Từ 6 đến 20 kí tự.',
  again: (label: string) => `Nhập lại ${label.toLowerCase()}`,
} as const
