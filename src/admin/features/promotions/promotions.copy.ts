type Cost = { days: number; coins: string; orders: string; players: string }

export const promotionsCopy = {
  intro:
    'TCoin tặng thêm khi nạp. Mỗi đơn nhận một khuyến mãi, cái cho nhiều nhất. Phần đã hứa cho một đơn được giữ riêng, nên dừng khuyến mãi không làm mất phần đã hứa.',
  empty: 'Chưa có khuyến mãi nào.',
  title: 'Tên khuyến mãi',
  sentence: 'Người chơi đọc',
  time: 'Thời gian',
  cost: ({ days, coins, orders, players }: Cost) =>
    `Nếu chạy trong ${days} ngày qua thì đã tốn ${coins} TCoin cho ${orders} đơn của ${players} người chơi.`,
  noCost: 'Không kịp tính chi phí của 90 ngày qua.',
  given: 'Đã hứa và phát',
  held: 'Trong đó chưa phát',
  orders: 'Đơn được thưởng',
  players: 'Người chơi',
  plan: 'Lập khuyến mãi',
  planText:
    'Khuyến mãi chưa hứa gì cho đến khi người thứ hai duyệt. Người đó đọc hết những gì dưới đây và duyệt một lần.',
  kind: 'Cách tặng',
  kinds: {
    percent: 'Phần trăm của số TCoin nạp',
    fixed: 'Số TCoin cố định mỗi đơn',
    steps: 'Theo các mức tiền nạp',
  },
  percent: 'Phần trăm',
  amount: 'Số TCoin mỗi đơn',
  steps: 'Các mức',
  stepsHint: 'Mỗi dòng một mức, ví dụ 50,000: 5,000 là từ 50,000 VND tặng 5,000 TCoin.',
  minimum: 'Tiền nạp tối thiểu (VND)',
  minimumHint: '0 là mọi số tiền.',
  capPerPlayer: 'Tối đa mỗi người (TCoin)',
  capTotal: 'Tổng tối đa (TCoin)',
  capTotalHint: 'Khuyến mãi tốn nhiều nhất số này.',
  channel: 'Kênh nạp',
  anyChannel: 'Mọi kênh',
  who: 'Dành cho',
  whos: { no: 'Mọi đơn nạp', yes: 'Chỉ lần nạp đầu tiên' },
  previewWaits: 'Nhập đủ các mục trên để thấy câu mà người chơi đọc và chi phí ước tính.',
  startOf: (title: string) => `Chạy khuyến mãi: ${title}`,
  startText: 'Khuyến mãi chạy sau khi người thứ hai duyệt, trong thời gian đã định.',
  stopOf: (title: string) => `Dừng khuyến mãi: ${title}`,
  stopText: 'Đơn mới không được thưởng nữa. Phần đã hứa cho các đơn đang chờ vẫn được giữ.',
} as const
