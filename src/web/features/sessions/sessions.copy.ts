export const sessionsCopy = {
  login: 'Đăng nhập',
  username: 'Tên đăng nhập',
  password: 'Mật khẩu',
  secondFactor: 'Mã xác thực hai lớp',
  noAccount: 'Chưa có tài khoản?',
  register: 'Đăng ký',
} as const
