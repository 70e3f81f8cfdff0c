import type { TrailRow } from '#contract/operator/users.ts'

/** Each kind of row, and what its `what` means. */
export const trailCopy: Record<TrailRow['kind'], { name: string; what: Record<string, string> }> = {
  order: {
    name: 'Đơn nạp',
    what: {
      pending: 'chờ tiền',
      paid: 'đã nhận đủ',
      paid_under: 'nhận thiếu',
      paid_over: 'nhận thừa',
      expired: 'hết hạn',
      cancelled: 'đã hủy',
      review: 'chờ kiểm tra',
    },
  },
  'bank-transfer': {
    name: 'Khoản chuyển',
    what: {
      review: 'chờ kiểm tra',
      credited: 'đã cộng TCoin',
      refunded: 'đã trả lại',
      ignored: 'đã bỏ qua',
    },
  },
  ledger: {
    name: 'Ví',
    what: {
      recharge: 'nạp TCoin',
      p2p: 'chuyển TCoin',
      activation: 'phí kích hoạt',
      exchange_hold: 'đổi lượng',
      exchange_settle: 'đổi lượng xong',
      exchange_refund: 'hoàn TCoin đổi lượng',
      gift_hold: 'mua quà tân thủ',
      gift_settle: 'mua quà xong',
      gift_refund: 'hoàn TCoin mua quà',
      adjustment: 'điều chỉnh',
      reversal: 'thu hồi khoản nạp',
      debt: 'ghi nợ',
      debt_settle: 'trả nợ',
    },
  },
  delivery: {
    name: 'Giao hàng',
    what: {
      pending: 'chờ gửi',
      sending: 'đang gửi',
      unknown: 'chưa rõ kết quả',
      parked: 'chờ xử lý',
      delivered: 'đã giao',
      refunded: 'đã hoàn TCoin',
    },
  },
  claim: {
    name: 'Yêu cầu kiểm tra',
    what: { open: 'đang mở', settled: 'đã xử lý', rejected: 'đã từ chối' },
  },
  'sign-in': {
    name: 'Đăng nhập',
    what: {
      succeeded: 'thành công',
      'wrong-password': 'sai mật khẩu',
      'wrong-second-factor': 'sai mã hai lớp',
    },
  },
  act: {
    name: 'Thao tác',
    what: {},
  },
}
