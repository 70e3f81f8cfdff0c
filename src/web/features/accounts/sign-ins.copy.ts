export const signInsCopy = {
  lead: 'Các lần đăng nhập trong 90 ngày qua, gồm cả những lần không thành công.',
  toProfile: 'Về hồ sơ',
  none: 'Chưa có lần đăng nhập nào',
  newDevice: 'Thiết bị mới',
  outcomes: {
    succeeded: 'Thành công',
    'wrong-password': 'Sai mật khẩu',
    'wrong-second-factor': 'Sai mã hai lớp',
  },
} as const
