/** The sentences of the error catalogue (spec §8) that no server sends. */
export const outcomeCopy = {
  failureTitle: 'Thất bại',
  successTitle: 'Thành công',
  warningTitle: 'Cảnh báo',
  confirm: 'Xác nhận',
  defaultSuccess: 'Thực hiện thành công',
  defaultFailure: 'Có lỗi xảy ra, vui lòng thử lại',
  retry: 'Thử lại',
  sessionExpired: 'Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại',
  activateNow: 'Kích hoạt ngay',
  rechargeNow: 'Nạp TCoin',
} as const
