/** The texts about what the portal keeps of a player. */
export const personalDataCopy = {
  title: 'Dữ liệu cá nhân',
  password: 'Mật khẩu hiện tại',
  code: 'Mã xác thực hai lớp',
  codeHint: 'Mã trong ứng dụng xác thực, hoặc một mã khôi phục.',
  back: 'Quay lại',

  download: 'Tải dữ liệu của tôi',
  downloadWhy: 'Một tệp JSON gồm mọi thông tin cổng đang lưu về bạn.',
  downloadLead:
    'Tệp gồm thông tin tài khoản, liên hệ, lần đăng nhập, đơn nạp, giao dịch, nhân vật và yêu cầu của bạn. Hãy cất ở nơi an toàn. Mỗi ngày tải được năm lần.',
  downloadSubmit: 'Tải về',
  downloaded: 'Đã tải dữ liệu của bạn',
  fileName: 'du-lieu-ca-nhan.json',
} as const
