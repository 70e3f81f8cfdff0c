export const homeCopy = {
  otherPagesTitle: 'Góc ninja',
  otherPages: {
    ranking: { label: 'Bảng xếp hạng', text: 'Ai đang đứng đầu các máy chủ?' },
    tournaments: { label: 'Giải đấu', text: 'Lịch, thể lệ và kết quả từng vòng.' },
    gemCalculator: { label: 'Tính nâng ngọc', text: 'Cần bao nhiêu ngọc, bao nhiêu xu?' },
  },
  picturesTitle: 'Hình ảnh trong game',
  pictures: [
    { name: 'lang-dem', caption: 'Làng ninja về đêm', alt: 'Mái ngói và đèn lồng dưới ánh trăng' },
    { name: 'san-trum', caption: 'Cả nhóm hợp sức đánh trùm', alt: 'Các ninja vây quanh con quạ khổng lồ' },
    { name: 'cho-dem', caption: 'Phiên chợ Bến Đèn', alt: 'Những gian hàng sáng đèn bên bến sông' },
  ],
} as const
