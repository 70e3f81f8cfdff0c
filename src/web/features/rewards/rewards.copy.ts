export const rewardsCopy = {
  receiver: 'Nhân vật nhận quà',
  visitorText: 'Quà được chuyển thẳng tới nhân vật bạn chọn.',
  loginFirst: 'Đăng nhập để nhận quà',
  incomplete: 'Hãy chọn nhân vật nhận quà',
  taken: 'Đã nhận',
} as const

export const checkInCopy = {
  lead: 'Mỗi ngày một món quà nhỏ, không mất TCoin. Ngày mới bắt đầu lúc 00:00 giờ Việt Nam; ngày đã bỏ lỡ thì không nhận lại được.',
  closed: 'Điểm danh đang tạm đóng',
  closedMore: 'Khi mở lại, quà của từng ngày sẽ hiện ở đây.',
  today: (day: string) => `Hôm nay, ${day}`,
  take: 'Điểm danh nhận quà',
  takenToday: 'Bạn đã điểm danh hôm nay',
  tomorrow: (goods: string) => `Ngày mai: ${goods}.`,
  nextMonth: 'Ngày mai bắt đầu tháng mới.',
  month: (month: string) => `Tháng ${Number(month.slice(5))}/${month.slice(0, 4)}`,
  count: (count: number) => `Đã điểm danh ${count} ngày`,
  past: (days: number) => `Xem ${days} ngày đã qua`,
  missed: 'Đã bỏ lỡ',
  isToday: 'Hôm nay',
} as const

export const milestonesCopy = {
  lead: 'Nạp càng nhiều trong thời gian của chương trình, quà càng lớn. Mỗi mốc nhận một lần, quà chuyển thẳng vào nhân vật.',
  none: 'Hiện chưa có chương trình mốc nạp',
  noneMore: 'Chương trình mới sẽ hiện ở đây khi bắt đầu.',
  span: (from: string, until: string) => `Nạp từ ${from} đến ${until}`,
  claims: (until: string) => `Nhận quà đến ${until}`,
  steps: 'Các mốc',
  at: (amount: string) => `${amount} VND`,
  missing: (amount: string) => `Còn ${amount} VND`,
  usedUp: 'Đã hết suất',
  take: 'Nhận quà',
  takeOf: (amount: string) => `Nhận quà mốc ${amount} VND`,
  recharge: 'Nạp TCoin',
  exchange: 'Đổi lượng',
  allTaken: 'Quà đã vào nhân vật. Giờ bạn có thể đổi TCoin lấy lượng.',
  toTake: 'Chọn nhân vật rồi nhận quà ở các mốc.',
  terms: 'Điều kiện',
} as const
