/** The games each side of a match won; the third figure names the winner where one side was absent. */
type SeedResult = readonly [number, number] | readonly [number, number, 1 | 2]

export type SeedTournament = {
  name: string
  /** Days from the day of seeding; negative ones are past. */
  registrationInDays: number
  competitionInDays: number
  mode: 0 | 1
  /** In luong. */
  fee: number
  type: 1 | 2 | 3 | 4
  levels: readonly [number, number]
  max_round: number
  classes: readonly number[]
  prize: string
  how_to_register: string
  teams: readonly string[]
  /** Round by round and from top to bottom, whoever is drawn there; null while nothing is drawn. */
  results: readonly (readonly (SeedResult | null)[])[] | null
}

const SIX_SCHOOLS = [1, 2, 3, 4, 5, 6]

/** One tournament in each phase: announced, registering, waiting for its draw, mid-bracket, finished. */
export const seedTournaments: SeedTournament[] = [
  {
    name: 'Đại Hội Bang Hội Mùa Đông',
    registrationInDays: 3,
    competitionInDays: 12,
    mode: 1,
    fee: 600,
    type: 4,
    levels: [60, 200],
    max_round: 4,
    classes: SIX_SCHOOLS,
    prize: 'Bang vô địch 20,000 lượng và cờ hiệu Mùa Đông, á quân 8,000 lượng, hạng ba 4,000 lượng',
    how_to_register:
      'Bang chủ đăng ký đội ngay tại trang này và mời năm đồng đội. Lệ phí thu trong game khi cả đội đã nhận lời.',
    teams: [],
    results: null,
  },
  {
    name: 'Song Đấu Trăng Rằm',
    registrationInDays: -2,
    competitionInDays: 5,
    mode: 0,
    fee: 100,
    type: 1,
    levels: [40, 200],
    max_round: 5,
    classes: SIX_SCHOOLS,
    prize: 'Vô địch 5,000 lượng, á quân 2,000 lượng, hạng ba 1,000 lượng',
    how_to_register:
      'Đăng ký ngay tại trang này bằng nhân vật của bạn. Lệ phí trừ trong game khi đội vào giải.',
    teams: [
      'Kiếm Gia',
      'Cung Thần',
      'Liềm Đêm',
      'Phi Tiêu Vàng',
      'Ánh Sao Đêm',
      'Tên Xanh',
      'Hắc Liềm',
      'Gió Bấc',
      'Mây Chiều',
      'Độc Cô Kunai',
      'Lá Tre Cuối',
    ],
    results: null,
  },
  {
    name: 'Cúp Tân Binh Hồng Nguyệt',
    registrationInDays: -9,
    competitionInDays: -0.1,
    mode: 1,
    fee: 0,
    type: 2,
    levels: [1, 40],
    // As many as come: the rounds follow from the draw.
    max_round: 0,
    classes: [0, ...SIX_SCHOOLS],
    prize: 'Mỗi thành viên đội vô địch 500 lượng và một thú cưỡi 7 ngày',
    how_to_register: 'Đội trưởng đăng ký đội tại trang này và mời ba đồng đội. Không thu lệ phí.',
    teams: [
      'Măng Non Trúc Lâm',
      'Bốn Chú Ếch Xanh',
      'Hội Quét Lá Sân Chùa',
      'Nhóm Đèn Lồng Đỏ',
      'Mới Xuống Núi',
      'Chợ Đêm Bến Đèn',
      'Bánh Chưng Xanh',
      'Hoa Mộc Lan',
      'Trăng Khuyết',
      'Gà Trống Choai',
      'Nắng Sớm',
      'Đò Ngang',
      'Bùa Giấy Vàng',
      'Sóc Nâu',
    ],
    results: null,
  },
  {
    name: 'Tứ Hùng Trúc Lâm',
    registrationInDays: -14,
    competitionInDays: -2,
    mode: 0,
    fee: 400,
    type: 2,
    levels: [50, 120],
    max_round: 4,
    classes: SIX_SCHOOLS,
    prize: 'Đội vô địch 12,000 lượng, á quân 5,000 lượng, hạng ba 2,500 lượng',
    how_to_register: 'Đội trưởng đăng ký đội tại trang này và mời ba đồng đội.',
    teams: [
      'Trúc Lâm Tứ Kiếm',
      'Hội Ngói Nâu',
      'Hắc Điêu Đoàn',
      'Sóng Bến Đèn',
      'Bạch Vân Quán',
      'Tứ Quý Cung Thủ',
      'Phong Lôi Môn',
      'Rượu Nếp Cái',
      'Huyết Nguyệt',
      'Mưa Đầu Mùa',
      'Ngũ Sắc Sương',
      'Lưỡi Liềm Bạc',
      'Vô Ảnh Cước',
      'Làng Gốm Đỏ',
      'Cửu Vĩ Hồ',
      'Đèo Gió Hú',
    ],
    results: [
      // The seventh team did not come within its minute.
      [
        [1, 0],
        [0, 1],
        [1, 0],
        [0, 0, 2],
        [1, 0],
        [0, 1],
        [0, 1],
        [1, 0],
      ],
      [[3, 1], [2, 3], null, null],
    ],
  },
  {
    name: 'Kiếm Hội Đêm Giao Mùa',
    registrationInDays: -45,
    competitionInDays: -30,
    mode: 0,
    fee: 200,
    type: 1,
    levels: [30, 200],
    max_round: 3,
    classes: [1, 5],
    prize: 'Vô địch 6,000 lượng, á quân 2,500 lượng, hạng ba 1,200 lượng',
    how_to_register: 'Đăng ký ngay tại trang này bằng nhân vật của bạn.',
    teams: [
      'Nhất Đao Vân',
      'Thanh Phong Kiếm',
      'Mộc Đao',
      'Kiếm Rỉ',
      'Tuyết Sơn Khách',
      'Đao Trăng',
      'Lão Kiếm Bến Đò',
      'Song Long',
    ],
    results: [
      [
        [3, 2],
        [1, 3],
        [3, 0],
        [2, 3],
      ],
      [
        [3, 1],
        [2, 3],
      ],
      [[3, 0]],
      [[3, 5]],
    ],
  },
]

/** How many play for a team of each format. */
const SIZES = { 1: 1, 2: 4, 3: 5, 4: 6 } as const

const FIRST = ['Bạch', 'Hắc', 'Thanh', 'Hồng', 'Kim', 'Ngọc', 'Lam', 'Tử']
const LAST = ['Phong', 'Vân', 'Nguyệt', 'Long', 'Hổ', 'Điểu', 'Trúc', 'Mai']

/** The characters of a team; a duellist plays as whom the team is named after. */
export function membersOf(team: string, index: number, type: SeedTournament['type']): string[] {
  const size = SIZES[type]
  if (size === 1) return [team]
  return Array.from({ length: size }, (_, place) => {
    const number = index * size + place
    return `${FIRST[number % FIRST.length]} ${LAST[Math.floor(number / FIRST.length) % LAST.length]}`
  })
}
