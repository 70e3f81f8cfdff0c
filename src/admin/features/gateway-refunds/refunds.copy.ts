import type { ListedRefund } from '#contract/operator/gateway-refunds.ts'

export const refundsCopy = {
  title: 'Hoàn qua MoMo',
  empty: 'Chưa có lần hoàn tiền nào qua MoMo. Hoàn tiền từ một khoản chuyển đang chờ kiểm tra.',
  askedAt: 'Yêu cầu lúc',
  askedBy: 'Người yêu cầu',
  amount: 'Số tiền',
  state: 'Trạng thái',
  code: 'Mã của MoMo',
  transfer: 'Khoản chuyển',
  rechargeOrder: 'Đơn nạp',
  player: 'Người chơi',
  reason: 'Lí do',
  states: {
    asked: 'Chờ MoMo trả lời',
    done: 'Đã hoàn',
    failed: 'Không hoàn được',
  } satisfies Record<ListedRefund['state'], string>,
} as const
