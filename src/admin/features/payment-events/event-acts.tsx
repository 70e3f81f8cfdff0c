import { useNavigate } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { operatorPaymentEvents } from '#contract/operator/bank-transfers.ts'
import { DIRECTION_WORDS, EVENT_WORDS } from '#contract/operator/words.ts'
import { Button } from '#ui/button.tsx'

export const eventsCopy = {
  one: 'Thông báo',
  empty:
    'Không có thông báo nào. Mọi thông báo của các nguồn báo nằm ở đây, dù đã cộng, đang chờ hay đã bỏ qua.',
  waiting: 'Việc',
  waitings: { true: 'Cần người xem', false: 'Tất cả' },
  search: 'Tìm mã, nội dung, số tiền, tài khoản',
  virtual: 'Tài khoản ảo',
  payer: 'Tài khoản gửi',
  raw: 'Nguyên văn',
  suggestions: 'Có thể của ai',
  provider: 'Nguồn báo',
  eventId: 'Mã của nguồn báo',
  reason: 'Vì sao',
  direction: 'Chiều',
  bookedAt: 'Ngân hàng ghi lúc',
  receivedAt: 'Nhận lúc',
  transfer: 'Khoản cùng mã',
  acts: 'Việc cần làm',
  fullText: 'Nội dung đầy đủ',
  signature: 'Chữ ký',
  signatures: { valid: 'Hợp lệ', stale: 'Hợp lệ nhưng quá hạn', pulled: 'Đọc từ sao kê' },
  statuses: EVENT_WORDS,
  directions: DIRECTION_WORDS,
  accept: {
    label: 'Nhận là thật',
    text: 'Khoản tiền của thông báo này vào hộp tiền vào để ghép như mọi khoản khác. Chưa cộng gì.',
  },
  dismiss: {
    label: 'Bác bỏ',
    text: 'Thông báo không phải thật hoặc không cần xử lý. Không thể lấy lại.',
  },
} as const

export type Chosen = { id: string; act: 'accept' | 'dismiss' }

type Props = { event: { id: string }; onAct: (chosen: Chosen) => void }

export function EventActs({ event: { id }, onAct }: Props) {
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button kind="plain" onClick={() => onAct({ id, act: 'accept' })}>
        {eventsCopy.accept.label}
      </Button>
      <Button kind="text" onClick={() => onAct({ id, act: 'dismiss' })}>
        {eventsCopy.dismiss.label}
      </Button>
    </span>
  )
}

/** An accepted one opens its transfer, which has to be matched next. */
export function EventAct({ chosen: { id, act }, onClose }: { chosen: Chosen; onClose: () => void }) {
  const navigate = useNavigate()
  const { label, text } = eventsCopy[act]
  const common = { title: label, text, params: { id }, onClose }
  return act === 'accept' ? (
    <ActDialog
      {...common}
      endpoint={operatorPaymentEvents.accept}
      onDone={(transfer) => void navigate(`/bank-transfers/${transfer.id}`)}
    />
  ) : (
    <ActDialog {...common} endpoint={operatorPaymentEvents.dismiss} />
  )
}
