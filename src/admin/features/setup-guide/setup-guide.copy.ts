import type { ScreenPath } from '#contract/operator/screen-paths.ts'
import type { SetupStep } from '#contract/operator/setup-guide.ts'
import { LEGAL_WORDS } from '#contract/operator/words.ts'

type StepText = {
  label: string
  /** What to do, and by what the portal sees that it is done. */
  text: string
  /** Where it is done: a screen of the console, or a page of the player site. */
  to: { screen: ScreenPath | `/settings/${string}` | `/runbooks/${string}` } | { page: string }
  act: string
}

export const setupGuideCopy = {
  intro:
    'Những việc nên xong trước khi mời người chơi vào. Cổng tự đánh dấu khi thấy việc đã xong; không ai phải tự tay đánh dấu.',
  done: 'Đã xong',
  open: 'Chưa xong',
  progress: (done: number, all: number) => `Đã xong ${done} trên ${all} việc.`,
  missing: (parts: string) => `Còn thiếu: ${parts}.`,
  /** Parts of a step that have no name of their own. */
  parts: {
    ...LEGAL_WORDS,
    backup: 'sao lưu thành công một lần',
    'restore-test': 'khôi phục thử thành công một lần',
  } as Readonly<Record<string, string>>,
} as const

export const stepTexts: Record<SetupStep, StepText> = {
  'second-owner': {
    label: 'Có chủ sở hữu thứ hai',
    text: 'Việc lớn cần hai người: người đề xuất và người duyệt. Mời người thứ hai với vai trò chủ sở hữu; cả hai bật bảo vệ hai lớp.',
    to: { screen: '/staff' },
    act: 'Mời người',
  },
  mail: {
    label: 'Thư gửi đi đến nơi',
    text: 'Xác minh email của chính bạn ở trang hồ sơ: nhận được mã trong thư nghĩa là thư của cổng đến được người chơi.',
    to: { page: '/user/profile' },
    act: 'Xác minh email',
  },
  'receiving-accounts': {
    label: 'Tài khoản nhận đã thử tiền thật',
    text: 'Nhập các tài khoản nhận tiền, rồi tự nạp một khoản nhỏ nhất, ví dụ 1,000 đ, vào từng tài khoản. Việc này xong khi TCoin của mỗi khoản đã vào ví.',
    to: { screen: '/settings/money' },
    act: 'Nhập tài khoản nhận',
  },
  'payment-notices': {
    label: 'Nhà cung cấp tự báo tiền vào',
    text: 'Mỗi nhà cung cấp đã cấu hình phải tự gửi đến cổng ít nhất một thông báo đúng chữ ký. Chỉ thấy tiền khi cổng đọc danh sách thì chưa đủ: khi đó tiền vào chậm.',
    to: { screen: '/payment-events' },
    act: 'Xem thông báo',
  },
  game: {
    label: 'Game trả lời cổng',
    text: 'Cổng đọc được mô tả của game trong 10 phút vừa qua. Nếu chưa, người quản trị máy chủ nối game theo sổ tay.',
    to: { screen: '/runbooks/connect-a-game' },
    act: 'Sổ tay nối game',
  },
  'legal-texts': {
    label: 'Văn bản pháp lý của bạn',
    text: 'Cổng có sẵn bản mẫu. Đọc, sửa cho đúng với đơn vị của bạn rồi đăng từng văn bản.',
    to: { screen: '/legal' },
    act: 'Mở văn bản',
  },
  backup: {
    label: 'Đã sao lưu và khôi phục thử',
    text: 'Bản sao lưu chỉ đáng tin khi đã khôi phục được một lần. Người quản trị máy chủ bật cả hai theo sổ tay.',
    to: { screen: '/runbooks/backup' },
    act: 'Sổ tay sao lưu',
  },
  'first-post': {
    label: 'Bài viết đầu tiên',
    text: 'Người chơi vào trang chủ thấy ngay một bài: máy chủ mở khi nào, tải game ở đâu.',
    to: { screen: '/posts' },
    act: 'Viết bài',
  },
  'first-promotion': {
    label: 'Khuyến mãi đầu tiên',
    text: 'Lập khuyến mãi nạp lần đầu với ngân sách của nó; người thứ hai duyệt thì khuyến mãi chạy.',
    to: { screen: '/promotions' },
    act: 'Lập khuyến mãi',
  },
}
