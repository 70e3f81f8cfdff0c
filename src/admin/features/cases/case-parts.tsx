import type { CaseState } from '#contract/help/case-forms.ts'
import type { OperatorCase } from '#contract/operator/help/cases.ts'
import { CASE_KIND_WORDS, CASE_WORDS } from '#contract/operator/words.ts'
import { Badge } from '#ui/badge.tsx'

export const casesCopy = {
  one: 'Yêu cầu hỗ trợ',
  empty:
    'Chưa có yêu cầu nào. Người chơi gửi yêu cầu ở trang Hỗ trợ, hoặc từ giao dịch, đơn nạp, món đã mua.',
  about: 'Về',
  kind: 'Loại',
  kinds: CASE_KIND_WORDS,
  states: CASE_WORDS,
  assigned: 'Người nhận',
  nobody: 'Chưa ai nhận',
  visitor: 'Khách',
  who: 'Người gửi',
  whos: { true: 'Khách chưa đăng nhập', false: 'Người chơi' },
  visitorContact: { phone: 'Số điện thoại (đã xác minh)', email: 'Email (đã xác minh)' },
  guess: 'Tài khoản có liên hệ này, đừng nói cho khách',
  noGuess: 'Không có',
  proved: '(đã xác minh)',
  unproved: '(chưa xác minh)',
  messages: 'Tin',
  createdAt: 'Gửi lúc',
  lastMessage: 'Tin mới nhất',
  firstAnswer: 'Trả lời lần đầu sau',
  closedAt: 'Đóng lúc',
  facts: 'Người chơi báo',
  thread: 'Trao đổi',
  pictureAlt: 'Ảnh người chơi gửi kèm',

  answer: 'Trả lời cho người chơi',
  template: 'Dùng mẫu trả lời',
  noTemplate: 'Chọn một mẫu',
  send: 'Gửi trả lời',
  closed: 'Yêu cầu đã đóng. Mở lại trước khi trả lời.',

  take: 'Tôi nhận',
  assign: 'Giao cho người khác',
  release: 'Bỏ người nhận',
  username: 'Tên đăng nhập của người nhận',
  close: 'Đóng yêu cầu',
  closeText: 'Người chơi được báo, và không viết tiếp được nữa.',
  reopen: 'Mở lại',

  templates: {
    empty: 'Chưa có mẫu nào. Hãy soạn sẵn câu trả lời cho những câu hỏi hay gặp.',
    title: 'Tên mẫu',
    text: 'Nội dung',
    updatedAt: 'Sửa lúc',
    add: 'Thêm mẫu',
    edit: 'Sửa',
    editOf: (title: string) => `Sửa mẫu ${title}`,
    remove: 'Xóa',
    removeOf: (title: string) => `Xóa mẫu ${title}`,
    removeText: 'Những câu trả lời đã gửi vẫn giữ nguyên.',
  },
} as const

const tones = { open: 'waiting', answered: 'success', closed: 'note' } as const

/** Null for a visitor. */
export const playerOf = ({ user_id: id, username }: Pick<OperatorCase, 'user_id' | 'username'>) =>
  id === null || username === null ? null : { id, username }

export const CaseStatus = ({ state }: { state: CaseState }) => (
  <Badge tone={tones[state]}>{casesCopy.states[state]}</Badge>
)
