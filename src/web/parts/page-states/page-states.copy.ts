import { pages } from '#contract/pages.ts'

export const pageStatesCopy = {
  notFound: pages.notFound.title,
  notFoundWhy: 'Có thể đường dẫn đã cũ hoặc bị gõ sai.',
  toHome: 'Về trang chủ',
  /** By the first part of the address. */
  missing: {
    post: 'Bài viết này không có, hoặc đã được gỡ xuống.',
    category: 'Chuyên mục này không có, hoặc đã được gỡ xuống.',
    tournament: 'Giải đấu này không có, hoặc đã được gỡ xuống.',
    recharge: 'Tài khoản của bạn không có đơn nạp nào mang mã này.',
    user: 'Tài khoản của bạn không có món đã mua nào mang mã này.',
  } as Record<string, string | undefined>,
  stillOpen: 'Vẫn xem được: ',
  loading: 'Đang tải…',
  serverSilent: 'Máy chủ chưa trả lời, đang thử lại…',
} as const
