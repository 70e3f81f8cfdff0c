/** The texts of what stands on the home page for a player alone; the page of visitors does not load them. */
export const ownHomeCopy = {
  level: (level: number) => `Cấp ${level}`,
  rank: (rank: string) => `hạng ${rank}`,
  up: (ranks: string) => `▲ lên ${ranks}`,
  down: (ranks: string) => `▼ xuống ${ranks}`,
  same: 'giữ hạng',
  isNew: 'mới vào bảng',
  deliveries: (count: string) => `Đang giao ${count} món`,
  toCharacter: (character: string) => `Cho ${character}`,
  nextMatch: 'Trận tiếp theo',
  calledMatch: 'Đến lượt đội của bạn',
  against: (team: string) => `Gặp ${team}`,
  latestPost: 'Tin mới nhất',
  newPosts: (count: string) => `${count} tin mới từ lần trước`,
  takeGoods: 'Nhận quà hôm nay',
  play: 'Vào game',
  servers: (count: string, minutes: number) =>
    `${minutes === 0 ? 'Vừa xong' : `${minutes} phút trước`} · ${count} máy chủ`,
  online: (players: string) => `${players} người đang chơi`,
} as const
