import type { PlannedPrice } from '#contract/operator/setting-calls.ts'

export const plannedPricesCopy = {
  intro:
    'Giá đổi vào giờ đã hẹn và tự về giá trước khi hết giờ. Để hẹn, mở một giá ở mục Cài đặt, phần Giá và hạn mức. Nếu giá đã được đổi khác trước giờ hẹn, lịch đó không được thực hiện.',
  toSettings: 'Mở Giá và hạn mức',
  empty: 'Chưa có lịch đổi giá nào.',
  columns: {
    setting: 'Giá',
    change: 'Thay đổi',
    time: 'Thời gian',
    state: 'Trạng thái',
    people: 'Người hẹn và duyệt',
    reason: 'Lý do',
  },
  change: (before: string, after: string) => `${before} → ${after}`,
  states: {
    planned: 'Đã hẹn',
    active: 'Đang áp dụng',
    done: 'Đã xong',
    'not-applied': 'Không áp dụng',
    'not-returned': 'Không về giá trước',
    cancelled: 'Đã hủy',
  } satisfies Record<PlannedPrice['state'], string>,
  reasons: {
    'not-applied': 'Giá đã được đổi khác trước giờ hẹn, hoặc thời gian hẹn đã qua hết.',
    'not-returned': 'Giá đã được đổi khác trong thời gian hẹn.',
  },
  plan: 'Hẹn đổi giá',
  planOf: (label: string) => `Hẹn đổi giá: ${label}`,
  startsAt: 'Bắt đầu (giờ Việt Nam)',
  endsAt: 'Kết thúc (giờ Việt Nam)',
  endsHint: 'Hết giờ này giá tự về giá trị trước. Bỏ trống thì giá được đổi hẳn.',
  noStart: 'Hãy chọn giờ bắt đầu',
  same: 'Hãy nhập giá trị khác với hiện tại',
  planned: (time: string, after: string) => `${time}: ${after}`,
  seeAll: 'Xem lịch đổi giá',
  cancel: 'Hủy lịch',
  cancelOf: (label: string) => `Hủy lịch đổi giá: ${label}`,
} as const
