import { Link, usePathname } from '#web/navigation.tsx'
import { buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import type { Page } from '#web/page.ts'
import { pageStatesCopy as copy } from '#web/parts/page-states/page-states.copy.ts'
import { pages, paths, type PageEntry } from '#contract/pages.ts'

/** Where things of that kind are listed, by the first part of the address. */
const LISTS: Record<string, PageEntry | undefined> = {
  tournament: pages.tournaments,
  recharge: pages.recharge,
  user: pages.deliveries,
}

/** Of a page about one thing it names what is missing, and leads to the others. */
export function NotFound() {
  const [, first = ''] = usePathname().split('/')
  const list = LISTS[first]
  return (
    <PageState isTopTitle picture="lost" title={copy.notFound} text={copy.missing[first] ?? copy.notFoundWhy}>
      <Link to={list ? list.path.replace(/\/:.*/, '') : paths.home} className={buttonClass()}>
        {list ? list.title : copy.toHome}
      </Link>
    </PageState>
  )
}

export const notFoundPage: Page = { Component: NotFound }
