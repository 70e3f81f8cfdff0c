import { Link } from 'react-router'
import { buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import type { Page } from '#web/page.ts'
import { pageStatesCopy as copy } from '#web/parts/page-states/page-states.copy.ts'
import { paths } from '#contract/pages.ts'

export function NotFound() {
  return (
    <PageState
      isTopTitle
      title={copy.notFound}
      picture={{ src: '/images/lost-ninja.svg', width: 280, height: 220 }}
    >
      <p className="max-w-prose text-soft">{copy.notFoundWhy}</p>
      <Link to={paths.home} className={buttonClass()}>
        {copy.toHome}
      </Link>
    </PageState>
  )
}

export const notFoundPage: Page = {
  Component: NotFound,
  head: () => ({ title: copy.notFound }),
}
