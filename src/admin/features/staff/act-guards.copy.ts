export const actGuardsCopy = {
  title: 'Điều kiện của thao tác',
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
    'guarded-setting': 'Khi đổi giá, hạn mức, tài khoản nhận tiền',
    'long-ban': 'Khi khóa quá 24 giờ',
  },
  secondPersons: {
    never: '–',
    always: 'Luôn cần',
    'above-limit': 'Khi vượt hạn mức',
    'guarded-setting': 'Khi đổi giá, hạn mức, tài khoản nhận tiền',
    'approving-role': 'Khi giao vai trò được duyệt đề xuất',
  },
  limits: { manual_credit_limit: 'Hạn mức cộng tay' },
  manageStaff: 'Cần quyền quản lí ban vận hành',
} as const
