/** Of the list. */
export const tournamentsCopy = {
  description: 'Các giải đấu của làng ninja: ngày đăng ký, ngày thi đấu, nhánh đấu và kết quả từng vòng.',
  lead: 'Lịch, thể lệ, giải thưởng và kết quả từng trận.',
  parts: { next: 'Sắp tới', running: 'Đang diễn ra', past: 'Đã qua' },
  registrationAt: (moment: string) => `Mở đăng ký ${moment}`,
  competitionAt: (moment: string) => `Thi đấu ${moment}`,
  wonBy: (team: string) => `Vô địch: ${team}`,
  none: 'Chưa có giải đấu nào được công bố.',
  noneMore: 'Tin về giải đấu mới sẽ có ở trang chủ.',
  toHome: 'Về trang chủ',
} as const
