export const sessionsCopy = {
  login: 'Đăng nhập',
  username: 'Tên đăng nhập',
  password: 'Mật khẩu',
  secondFactor: 'Mã xác thực hai lớp',
  secondFactorHint: '6 số trong ứng dụng xác thực. Mất điện thoại? Nhập một mã khôi phục.',
  bySms: 'Vào bằng mã SMS',
  byEmail: 'Vào bằng email',
  forgot: 'Quên mật khẩu?',
  noAccount: 'Chưa có tài khoản?',
  register: 'Đăng ký',
} as const
