import type { CaseState } from '#contract/help/case-forms.ts'
import { CASE_PICTURES_MAX, type Topic } from '#contract/help/case-forms.ts'
import type { BadgeTone } from '#ui/badge.tsx'

export const helpCopy = {
  lead: 'Những vấn đề bạn đã báo và câu trả lời của đội hỗ trợ. Về tiền hoặc món đã mua, hãy mở dòng giao dịch, đơn nạp hay món đó rồi chọn “Báo vấn đề”: đội hỗ trợ thấy ngay là dòng nào.',
  none: 'Bạn chưa báo vấn đề nào',
  noneText: 'Cần giúp về tài khoản, game hay giải đấu, hãy viết cho đội hỗ trợ.',
  ask: 'Nhờ hỗ trợ',
  askLead: 'Bạn cần giúp về việc gì?',
  topics: {
    account: 'Bị khóa, đổi số điện thoại hoặc email, nghi có người khác dùng',
    'sign-in': 'Quên mật khẩu, không nhận được mã, mất ứng dụng xác thực',
    game: 'Lỗi trong game, mất đồ, người chơi khác vi phạm',
    tournament: 'Đăng ký đội, lịch đấu, kết quả một trận',
    other: 'Góp ý và những câu hỏi khác',
  } satisfies Record<Topic, string>,
  number: (id: string, moment: string) => `Yêu cầu số ${id}, gửi ${moment}`,
  lastMessage: (moment: string) => `Tin mới nhất ${moment}`,

  about: 'Về',
  nothingChosen: 'Chưa chọn điều cần báo',
  questions: 'Có thể câu trả lời đã có ở đây',
  open: 'Bạn đã báo vấn đề này rồi.',
  toOpen: 'Mở yêu cầu đang chờ',
  write: 'Viết cho đội hỗ trợ',
  text: 'Vấn đề của bạn',
  textPlaceholder: 'Chuyện gì đã xảy ra, lúc nào, trên nhân vật nào?',
  send: 'Gửi',
  sending: (percent: number) => `Đang gửi… ${percent}%`,

  pictures: 'Ảnh',
  picturesHint: `Tối đa ${CASE_PICTURES_MAX} ảnh JPG, PNG hoặc WebP. Chỉ đội hỗ trợ xem được; vị trí và thông tin máy trong ảnh được xóa.`,
  addPicture: 'Thêm ảnh',
  preparing: 'Đang mở ảnh…',
  removePicture: (name: string) => `Bỏ ảnh ${name}`,
  wrongType: 'Ảnh phải là tệp JPG, PNG hoặc WebP',
  sentPicture: (number: number) => `Ảnh ${number} đã gửi`,
  pictureFailed: 'Không mở được ảnh',

  one: 'Yêu cầu hỗ trợ',
  thread: 'Trao đổi',
  you: 'Bạn',
  staff: 'Đội hỗ trợ',
  reply: 'Viết tiếp',
  closed: 'Yêu cầu này đã đóng. Nếu vấn đề vẫn còn, hãy báo lại.',
} as const

export const caseStates: Record<CaseState, { label: string; tone: BadgeTone }> = {
  open: { label: 'Chờ trả lời', tone: 'waiting' },
  answered: { label: 'Đã trả lời', tone: 'success' },
  closed: { label: 'Đã đóng', tone: 'note' },
}
