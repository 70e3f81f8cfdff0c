type SeedGroup = { name: string; description: string; value_name: string } & (
  | { source: 'game'; board: string }
  | { source: 'recharge' }
)

/** The rankings of the demo, in the order of their tabs. The boards are those of the embedded game world. */
export const seedGroups: SeedGroup[] = [
  {
    name: 'Cao thủ',
    description: 'Những nhân vật có cấp cao nhất.',
    value_name: 'Cấp',
    source: 'game',
    board: 'level',
  },
  {
    name: 'Phú hộ',
    description: 'Ai đang giữ nhiều yên nhất? Chăm đi chợ Bến Đèn là có tên.',
    value_name: 'Yên',
    source: 'game',
    board: 'yen',
  },
  {
    name: 'Đại gia',
    description: 'Những nhân vật có nhiều lượng nhất trong túi.',
    value_name: 'Lượng',
    source: 'game',
    board: 'luong',
  },
  {
    name: 'Đua nạp',
    description: 'Tổng TCoin đã nạp từ đầu tháng của những người chọn hiện biệt danh.',
    value_name: 'TCoin',
    source: 'recharge',
  },
]
