import { serverNow } from '#client/server-clock.ts'
import { momentText } from '#admin/kit/format.ts'
import type { OperatorDeletion } from '#contract/operator/deletion-requests.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

export const deletionsCopy = {
  one: 'Yêu cầu xóa số',
  empty: 'Chưa có yêu cầu nào. Người chơi gửi yêu cầu trong Hồ sơ của họ.',
  states: {
    waiting: 'Chờ quyết định',
    approved: 'Đang xóa',
    withdrawn: 'Đã rút lại',
    refused: 'Đã từ chối',
    'carried-out': 'Đã xóa',
  },
  requestedAt: 'Gửi lúc',
  dueAt: 'Hạn trả lời',
  overdue: 'Quá hạn',
  soon: 'Sắp đến hạn',
  givenUp: 'TCoin người chơi bỏ lại',
  coins: (count: string) => `${count} TCoin`,
  decidedBy: 'Người quyết định',
  decidedAt: 'Quyết định lúc',
  endedAt: 'Xong lúc',
  message: 'Trả lời cho người chơi',
  attempt: 'Số lần làm chưa được',
  facts: 'Yêu cầu',
  matters: 'Điều còn dở',
  noMatters: 'Không còn gì dở dang: có thể xóa tài khoản.',
  noMattersOver: 'Yêu cầu này đã xong.',
  mattersLead: 'Phải kết thúc những điều này trước khi xóa được:',
  hindered: 'Lần trước chưa xóa được vì lúc đó còn:',
  approvedLead: 'Máy chủ đang gửi thư cuối cho người chơi rồi xóa. Người chơi vẫn rút lại được đến lúc đó.',
  carryOut: {
    label: 'Xóa tài khoản',
    text: 'Tên, liên hệ, thiết bị và mọi thông tin nhận ra người chơi bị xóa khỏi cổng, không khôi phục được. Sổ sách được giữ lại dưới tên “da-xoa-…”. Người chơi nhận một thư cuối trước khi xóa.',
  },
  refuse: {
    label: 'Từ chối',
    text: 'Người chơi đọc được lời nhắn này trong Hồ sơ và qua email đã xác thực, và có thể gửi yêu cầu mới.',
    message: 'Lời nhắn cho người chơi',
    submit: 'Từ chối yêu cầu',
  },
} as const

const tones: Record<OperatorDeletion['state'], BadgeTone> = {
  waiting: 'waiting',
  approved: 'waiting',
  withdrawn: 'note',
  refused: 'note',
  'carried-out': 'success',
}

export const DeletionState = ({ state }: Pick<OperatorDeletion, 'state'>) => (
  <Badge tone={tones[state]}>{deletionsCopy.states[state]}</Badge>
)

const SOON_MS = 3 * 86_400_000

type Due = Pick<OperatorDeletion, 'due_at' | 'ended_at'>

/** Null as long as there is time, and once it is over. */
function urgencyOf({ due_at, ended_at }: Due): string | null {
  const leftMs = Date.parse(due_at) - serverNow()
  if (ended_at !== null || leftMs >= SOON_MS) return null
  return leftMs < 0 ? deletionsCopy.overdue : deletionsCopy.soon
}

/** When it is due, and whether that is near. */
export function DueAt(due: Due) {
  const urgency = urgencyOf(due)
  return (
    <>
      {momentText(due.due_at)} {urgency && <Badge tone="danger">{urgency}</Badge>}
    </>
  )
}
