export const splashCopy = {
  title: 'Lời chào',
  greeting: (site: string) => `Chào mừng bạn đến với ${site}!`,
  home: 'Vào trang chủ',
  closesItself: (seconds: number) => `Lời chào tự đóng sau ${seconds} giây.`,
} as const
