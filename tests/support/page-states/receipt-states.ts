import type { Delivery, DeliveryReceipt } from '#contract/deliveries.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { answering, silence, type PageState } from './page-state.ts'

export const pagination = { page: 1, items_per_page: 20, total: 1, last_page: 1 }

export const delivery = (change: Partial<Delivery>): Delivery => ({
  id: '1',
  kind: 'exchange',
  character_name: 'phitieuvang',
  goods: [{ kind: 'luong', quantity: 165_000 }],
  amount: 500_000,
  status: 'pending',
  created_at: '2026-11-20T08:25:00.000Z',
  settled_at: null,
  ...change,
})

export const delivered = (...data: Delivery[]) =>
  answering(/\/api\/user\/deliveries/, 200, { data, payload: { pagination } })

const deliveriesPage = {
  route: '/user/deliveries/:id?',
  path: '/user/deliveries',
  player: 'hoangtuan',
} as const
const receiptId = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'
const receiptPage = { ...deliveriesPage, path: `/user/deliveries/${receiptId}` } as const
const giftGoods = GIFT_PACKAGES.at(-1)?.items.map(({ good }) => good) ?? []

const receiptOf = (change: Partial<DeliveryReceipt>) =>
  answering(/\/api\/user\/deliveries\//, 200, {
    ...delivery({ id: receiptId }),
    server_name: 'Tinh Hoa 1',
    is_with_staff: false,
    refund_reason: null,
    ...change,
  })

export const receiptStates: PageState[] = [
  {
    ...deliveriesPage,
    name: 'deliveries',
    arrange: delivered(
      delivery({}),
      delivery({ id: '2', kind: 'gift', goods: giftGoods, amount: 99_999, status: 'delivered' }),
      delivery({ id: '3', status: 'refunded', character_name: 'mottennhanvatratdai' }),
    ),
    sees: 'Quà tân thủ: 35,000 lượng',
  },
  { ...deliveriesPage, name: 'deliveries-none', arrange: delivered(), sees: 'Bạn chưa mua món nào.' },
  { ...deliveriesPage, name: 'deliveries-failed', arrange: silence, sees: 'Thử lại' },
  {
    ...receiptPage,
    name: 'receipt-with-staff',
    arrange: receiptOf({ is_with_staff: true }),
    sees: 'Đang giao, chờ đội vận hành kiểm tra',
  },
  {
    ...receiptPage,
    name: 'receipt-delivered',
    arrange: receiptOf({
      kind: 'gift',
      goods: giftGoods,
      amount: 99_999,
      status: 'delivered',
      settled_at: '2026-11-20T08:25:02.000Z',
    }),
    sees: 'Món đã vào game.',
  },
  {
    ...receiptPage,
    name: 'receipt-refunded',
    arrange: receiptOf({
      status: 'refunded',
      settled_at: '2026-11-20T08:25:02.000Z',
      refund_reason: 'Nhân vật không còn trong game.',
    }),
    sees: 'Đổi lượng lại',
  },
]
