/** The texts about a player's stored data. */
export const personalDataCopy = {
  title: 'Dữ liệu cá nhân',
  password: 'Mật khẩu hiện tại',
  code: 'Mã xác thực hai lớp',
  codeHint: 'Mã trong ứng dụng xác thực, hoặc một mã khôi phục.',

  copy: 'Bản sao dữ liệu',
  consents: 'Xem và thay đổi',
  consentsWhy: 'Điều khoản, chính sách và quảng cáo mà bạn đã đồng ý.',

  download: 'Tải dữ liệu của tôi',
  downloadWhy: 'Một tệp JSON gồm mọi thông tin cổng đang lưu về bạn.',
  downloadLead:
    'Tệp gồm thông tin tài khoản, liên hệ, lần đăng nhập, đơn nạp, giao dịch, nhân vật và yêu cầu của bạn. Hãy cất ở nơi an toàn. Mỗi ngày tải được năm lần.',
  downloadSubmit: 'Tải về',
  downloaded: 'Đã tải dữ liệu của bạn',
  fileName: 'du-lieu-ca-nhan.json',

  deletion: 'Xóa tài khoản',
  requestDeletion: 'Yêu cầu xóa tài khoản',
  deletionHint: (days: number) => `Đội vận hành xem từng yêu cầu và trả lời trong vòng ${days} ngày.`,
  states: { waiting: 'Đang chờ', approved: 'Đã chấp nhận', refused: 'Đã từ chối' },
  waiting: (requested: string, due: string) =>
    `Gửi lúc ${requested}. Đội vận hành trả lời chậm nhất ngày ${due}; đến lúc đó tài khoản vẫn dùng được như thường.`,
  givenUp: (coins: string) => `Bạn đã đồng ý bỏ ${coins} TCoin còn trong ví.`,
  approved: 'Tài khoản sắp được xóa và bạn sẽ được đăng xuất.',
  refused: (at: string, message: string) => `Từ chối lúc ${at}. Đội vận hành: ${message}`,
  withdrawnAt: (at: string) => `Bạn đã rút lại yêu cầu lúc ${at}.`,
  withdraw: 'Rút lại yêu cầu',
  withdrawn: 'Đã rút lại yêu cầu xóa tài khoản',

  goesTitle: 'Bị xóa, không khôi phục được',
  goes: [
    'tên đăng nhập, mật khẩu, email, số điện thoại, xác thực hai lớp',
    'lịch sử đăng nhập và các thiết bị',
    'lời nhắn, ảnh biên lai và nội dung chuyển khoản',
    'tên nhân vật trong biên nhận, bảng xếp hạng và giải đấu',
  ],
  staysTitle: 'Được giữ lại, không kèm tên bạn',
  stays: [
    'sổ sách về tiền: đơn nạp, khoản chuyển, món đã mua, số dư từng lần',
    'nhật ký các thao tác của đội vận hành',
  ],
  staysElsewhere:
    'Nhân vật trong game do máy chủ game giữ. Tên đăng nhập này sẽ không ai đăng ký lại được, kể cả bạn.',
  giveUp: (coins: string) => `Tôi bỏ ${coins} TCoin còn trong ví, không đòi hoàn lại`,
  giveUpWhy:
    'Hoặc dùng hết trước: đổi lượng, mua quà, chuyển cho người khác. Muốn hoàn tiền, hãy liên hệ đội vận hành trước khi gửi.',
  submit: 'Gửi yêu cầu xóa tài khoản',
  requested: 'Đã gửi yêu cầu xóa tài khoản',
} as const
