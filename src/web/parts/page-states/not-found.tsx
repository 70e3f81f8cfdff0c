import { Link } from '#web/navigation.tsx'
import { buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import type { Page } from '#web/page.ts'
import { pageStatesCopy as copy } from '#web/parts/page-states/page-states.copy.ts'
import { paths } from '#contract/pages.ts'

export function NotFound() {
  return (
    <PageState isTopTitle picture="lost" title={copy.notFound} text={copy.notFoundWhy}>
      <Link to={paths.home} className={buttonClass()}>
        {copy.toHome}
      </Link>
    </PageState>
  )
}

export const notFoundPage: Page = { Component: NotFound }
