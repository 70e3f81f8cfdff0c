import type { Role } from '#contract/operator/roles.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'

/** Beside the names where somebody chooses one. */
const ROLE_DUTIES: Record<Role, string> = {
  owner: 'Mọi quyền, kể cả giá, tài khoản nhận tiền và ban vận hành.',
  editor: 'Bài viết, chuyên mục và cài đặt nội dung.',
  cashier: 'Tiền vào, đơn nạp và giao hàng.',
  referee: 'Giải đấu.',
  support: 'Xem đơn nạp, khoản chuyển, giao hàng và trả lời người chơi.',
}

export const actGuardsCopy = {
  link: 'Điều kiện của từng thao tác',
  back: 'Ban vận hành',
  explanation:
    'Máy chủ kiểm tra mọi thao tác theo đúng bảng này. Mã mới là mã xác thực hai lớp vừa nhập trong 5 phút. Hạn mức tính tổng 24 giờ của một người vận hành, và của một người chơi; vượt hạn mức thì chờ người thứ hai.',
  guarded: 'Thao tác có điều kiện',
  unguarded: 'Thao tác chỉ cần vai trò',
  columns: {
    name: 'Thao tác',
    roles: 'Vai trò',
    proof: 'Mã mới',
    secondPerson: 'Người thứ hai',
    limit: 'Hạn mức',
    isOnAccount: 'Với tài khoản của nhân viên',
  },
  none: '–',
  proofs: {
    never: '–',
    always: 'Luôn cần',
    'guarded-setting': 'Khi đổi giá, hạn mức, liên kết, liên hệ, tài khoản nhận tiền',
    'long-ban': 'Khi khóa quá 24 giờ',
  },
  secondPersons: {
    never: '–',
    always: 'Luôn cần',
    'above-limit': 'Khi vượt hạn mức',
    'guarded-setting': 'Khi đổi giá, hạn mức, liên kết, liên hệ, tài khoản nhận tiền',
    'approving-role': 'Khi trao hay thu vai trò được duyệt đề xuất',
    'with-start': 'Khi đề xuất chạy luôn',
  },
  limits: { manual_credit_limit: 'Hạn mức cộng tay' },
  manageStaff: 'Cần quyền quản lý ban vận hành',
} as const

export const staffCopy = {
  columns: {
    username: 'Tài khoản',
    roles: 'Vai trò',
    secondFactor: 'Xác thực hai lớp',
    address: 'Email nhận thư',
    lastSignIn: 'Đăng nhập gần nhất',
    acts: 'Thao tác',
  },
  on: 'Đã bật',
  off: 'Chưa bật, chưa vào được',
  proved: 'Đã xác thực',
  unproved: 'Chưa có, không nhận được thư',
  you: '(bạn)',
  empty: 'Chưa có ai.',
  change: 'Đổi vai trò',
  changeTitle: (name: string) => `Vai trò của ${name}`,
  changeHint:
    'Có hiệu lực ngay ở thao tác kế tiếp của người này; phiên đăng nhập vẫn giữ. Trao hay thu vai trò được duyệt đề xuất (Chủ sở hữu, Thủ quỹ) thì chờ người thứ hai; người bị thu vẫn nhận thư và bác được đề xuất trong 7 ngày. Cần thu ngay: dòng lệnh trên máy chủ. Bỏ hết: không còn quyền vận hành.',
  save: 'Lưu vai trò',
  roles: ROLE_WORDS,
  duties: ROLE_DUTIES,
  invite: 'Mời người mới',
  inviteTitle: 'Mời vào ban vận hành',
  inviteHint:
    'Người được mời đăng nhập trang vận hành bằng đường dẫn này: dùng một lần, trong 48 giờ. Họ cần mật khẩu từ 12 ký tự và đã bật xác thực hai lớp ở trang người chơi.',
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
