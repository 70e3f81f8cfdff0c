export const homeCopy = {
  download: 'Tải game',
  recharge: 'Nạp TCoin',
  exchange: 'Đổi lượng',
  about: 'Về trò chơi',
  now: 'Đang diễn ra',
  nowOpening: 'Mở máy chủ',
  nowBonus: 'Khuyến mãi',
  bonus: (percent: string) => `Đổi lượng tặng thêm ${percent}%`,
  nowTournament: {
    announced: 'Sắp mở đăng ký',
    registering: 'Đang mở đăng ký',
    drawing: 'Chờ chia cặp',
    running: 'Đang thi đấu',
  },
  /** After them how long it takes. */
  until: { announced: 'Mở đăng ký sau', registering: 'Khai cuộc sau' },
  days: (days: number, hours: number) => `${days} ngày ${hours} giờ`,
  otherPagesTitle: 'Góc ninja',
  otherPages: {
    ranking: 'Ai đang đứng đầu các máy chủ?',
    tournaments: 'Lịch, thể lệ và kết quả từng vòng.',
    gemCalculator: 'Cần bao nhiêu ngọc, bao nhiêu xu?',
  },
  picturesTitle: 'Tranh minh họa thế giới game',
  pictures: [
    { name: 'lang-dem', caption: 'Làng ninja về đêm', alt: 'Mái ngói và đèn lồng dưới ánh trăng' },
    { name: 'san-trum', caption: 'Cả nhóm hợp sức đánh trùm', alt: 'Các ninja vây quanh con quạ khổng lồ' },
    { name: 'cho-dem', caption: 'Phiên chợ Bến Đèn', alt: 'Những gian hàng sáng đèn bên bến sông' },
  ],
} as const
