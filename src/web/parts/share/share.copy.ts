export const shareCopy = {
  title: 'Chia sẻ',
  zalo: 'Zalo',
  facebook: 'Facebook',
  copyLink: 'Sao chép',
  more: 'Chia sẻ',
  via: (place: string) => `Chia sẻ qua ${place}`,
  copyWhat: ' đường dẫn',
} as const
