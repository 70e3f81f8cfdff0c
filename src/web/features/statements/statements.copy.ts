import type { StatementSort } from '#web/features/statements/statement-query.ts'

export const statementsCopy = {
  days: 'Khoảng ngày',
  dayChip: (days: number | null) => (days === null ? 'Tất cả' : days === 1 ? 'Hôm nay' : `${days} ngày`),
  filter: 'Lọc',
  filterCount: (count: number) => `Lọc (${count})`,
  filters: 'Lọc giao dịch',
  type: 'Loại giao dịch',
  allTypes: 'Tất cả',
  from: 'Từ ngày',
  to: 'Đến ngày',
  search: 'Tìm kiếm',
  searchPlaceholder: 'Tên hoặc mã',
  find: 'Tìm',
  sort: 'Sắp xếp',
  clear: 'Xóa bộ lọc',
  reversed: 'Ngày bắt đầu phải trước ngày kết thúc',
  found: (total: string) => `${total} giao dịch`,

  saveFile: 'Tải tệp CSV',

  time: 'Thời gian',
  content: 'Nội dung',
  amount: 'Số tiền',
  balanceAfter: 'Số dư sau',
  status: 'Trạng thái',
  month: (name: string) => `Tháng ${name}`,
  receipt: 'Biên nhận',
  copyReference: (reference: string) => `Sao chép mã ${reference}`,

  empty: 'Chưa có giao dịch nào.',
  emptyMore: 'Giao dịch đầu tiên sẽ xuất hiện ở đây sau khi bạn nạp TCoin.',
  recharge: 'Nạp TCoin',
  nothingFound: 'Không có giao dịch nào phù hợp với bộ lọc.',
} as const

export const sortLabels: Record<StatementSort, string> = {
  'created_at-desc': 'Mới nhất',
  'created_at-asc': 'Cũ nhất',
  'amount-desc': 'Tiền giảm dần',
  'amount-asc': 'Tiền tăng dần',
}
