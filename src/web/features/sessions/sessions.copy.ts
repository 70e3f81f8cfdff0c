import { paths } from '#contract/pages.ts'

export const sessionsCopy = {
  login: 'Đăng nhập',
  /** What somebody who was led here has asked for, by its address. */
  intros: {
    [paths.ranking]:
      'Bảng xếp hạng dành cho người chơi: ai đang dẫn đầu từng máy chủ, và bạn đứng hạng mấy. Đăng nhập hoặc đăng ký để xem.',
  } as Record<string, string>,
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
