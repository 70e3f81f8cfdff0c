import { Link } from 'react-router'
import { buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'

export function NotFound() {
  return (
    <PageState
      isTopTitle
      title="Trang bạn đang tìm không tồn tại"
      picture={{ src: '/images/lost-ninja.svg', width: 280, height: 220 }}
    >
      <p className="max-w-prose text-soft">Có thể đường dẫn đã cũ, hoặc bài viết đã được gỡ xuống.</p>
      <Link to={paths.home} className={buttonClass()}>
        Về trang chủ
      </Link>
    </PageState>
  )
}

export const notFoundPage: Page = {
  Component: NotFound,
  head: () => ({ title: 'Trang bạn đang tìm không tồn tại' }),
}
