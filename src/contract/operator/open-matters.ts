import { formatNumber } from '../format-number.ts'
import type { OpenMatter } from '../personal-data.ts'

const NAMES: Record<OpenMatter, (count: string) => string> = {
  role: (count) => `${count} vai trò vận hành`,
  balance: (count) => `${count} TCoin trong ví`,
  debt: (count) => `khoản nợ ${count} TCoin`,
  order: (count) => `${count} đơn nạp đang chờ tiền`,
  delivery: (count) => `${count} món đang giao`,
  claim: (count) => `${count} yêu cầu kiểm tra khoản nạp chưa được trả lời`,
  'bank-transfer': (count) => `${count} khoản chuyển đang chờ xử lý`,
  refund: (count) => `${count} khoản hoàn qua MoMo chưa xong`,
  proposal: (count) => `${count} đề xuất về tài khoản đang chờ duyệt`,
}

/** What keeps an account from being erased, as a part of a sentence. */
export const describeMatter = ({ matter, count }: { matter: OpenMatter; count: number }): string =>
  NAMES[matter](formatNumber(count))
