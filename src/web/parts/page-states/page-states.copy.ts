import { pages } from '#contract/pages.ts'

export const pageStatesCopy = {
  notFound: pages.notFound.title,
  notFoundWhy: 'Có thể đường dẫn đã cũ, hoặc bài viết đã được gỡ xuống.',
  toHome: 'Về trang chủ',
  loading: 'Đang tải…',
  serverSilent: 'Máy chủ chưa trả lời, đang thử lại…',
} as const
