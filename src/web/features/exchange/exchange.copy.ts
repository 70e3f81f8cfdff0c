export const exchangeCopy = {
  description: 'Đổi TCoin lấy lượng cho nhân vật của bạn trong game.',
  lead: 'Chọn nhân vật và mệnh giá. Lượng được chuyển vào game sau vài giây.',
  bonus: (percent: number) => `Khuyến mãi +${percent}% lượng`,
  characters: 'Nhân vật nhận lượng',
  amounts: 'Mệnh giá',
  noAmounts: 'Hiện chưa có mệnh giá nào được mở.',
  visitorText: 'Bạn cần đăng nhập để xem nhân vật của mình và đổi lượng.',

  summary: 'Đổi lượng',
  get: 'Nhận được',
  luong: (luong: string) => `${luong} lượng`,
  confirm: 'Đổi lượng',
  confirmTitle: 'Xác nhận đổi lượng',
  confirmWarning: 'Lượng đã vào game thì không đổi lại thành TCoin được.',

  loginFirst: 'Vui lòng đăng nhập để đổi lượng',
  payMissingFailed: 'Chưa tải được cách trả phần còn thiếu',
  incomplete: 'Vui lòng chọn nhân vật và mệnh giá',

  deliveries: 'Lần đổi gần đây',
  deliveryOf: (luong: string, character: string) => `${luong} lượng cho ${character}`,
} as const
