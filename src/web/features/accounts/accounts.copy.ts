export const accountsCopy = {
  register: 'Đăng ký',
  registerTitle: 'Đăng ký tài khoản',
  username: 'Tên đăng nhập',
  usernameHint: '6–20 kí tự, chỉ gồm chữ không dấu và số.',
  email: 'Email',
  phone: 'Số điện thoại',
  password: 'Mật khẩu',
  server: 'Máy chủ',
  agreement: ['Bấm “Đăng ký” là bạn đồng ý với', 'và'],
  hasAccount: 'Đã có tài khoản?',
  login: 'Đăng nhập',
} as const
