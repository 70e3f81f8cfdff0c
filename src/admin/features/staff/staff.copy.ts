import { ROLE_WORDS } from '#contract/operator/words.ts'
import { ROLE_DUTIES } from '#admin/features/staff/role-duties.ts'

export const staffCopy = {
  title: 'Ban vận hành',
  columns: {
    username: 'Tài khoản',
    roles: 'Vai trò',
    secondFactor: 'Xác thực hai lớp',
    lastSignIn: 'Đăng nhập gần nhất',
    acts: 'Thao tác',
  },
  on: 'Đã bật',
  off: 'Chưa bật, chưa vào được',
  you: '(bạn)',
  empty: 'Chưa có ai.',
  change: 'Đổi vai trò',
  changeTitle: (name: string) => `Vai trò của ${name}`,
  changeHint:
    'Có hiệu lực ngay ở thao tác kế tiếp của người này; phiên đăng nhập vẫn giữ. Vai trò mới được duyệt đề xuất (Chủ sở hữu, Thủ quỹ) chờ người thứ hai. Bỏ hết: không còn quyền vận hành.',
  save: 'Lưu vai trò',
  roles: ROLE_WORDS,
  duties: ROLE_DUTIES,
  invite: 'Mời người mới',
  inviteTitle: 'Mời vào ban vận hành',
  inviteHint:
    'Người được mời đăng nhập trang vận hành bằng đường dẫn này: dùng một lần, trong 48 giờ. Họ cần mật khẩu từ 12 kí tự và đã bật xác thực hai lớp ở trang người chơi.',
  openInvites: {
    title: 'Lời mời đang mở',
    empty: 'Không có lời mời nào đang chờ. Lời mời đã dùng, thu hồi hoặc quá 48 giờ không còn ở đây.',
    role: 'Vai trò',
    by: 'Người mời',
    at: 'Mời lúc',
    until: 'Hết hạn lúc',
    waiting: 'Chờ duyệt',
    acts: 'Thao tác',
    withdraw: 'Thu hồi',
    withdrawTitle: 'Thu hồi lời mời',
    warning: 'Đường dẫn đã gửi không dùng được nữa. Muốn mời lại thì tạo đường dẫn mới.',
    name: (role: string, by: string, at: string) => `${role}, ${by} mời lúc ${at}`,
  },
  role: 'Vai trò',
  makeLink: 'Tạo đường dẫn',
  waits:
    'Vai trò này được duyệt đề xuất, nên đường dẫn chỉ dùng được sau khi người thứ hai duyệt ở mục Đề xuất (nếu không có ai khác: sau 24 giờ). 48 giờ của đường dẫn tính từ lúc đó.',
  linkTitle: 'Đường dẫn mời',
  linkHint: (until: string) => `Chỉ hiện một lần, hết hạn lúc ${until}. Gửi riêng cho người được mời.`,
  linkOnce: 'Chỉ hiện một lần. Gửi riêng cho người được mời.',
  link: 'Đường dẫn',
  copy: 'Sao chép',
  copied: 'Đã sao chép',
} as const
