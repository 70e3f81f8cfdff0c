import { useEffect, useRef } from 'react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useLocation, useMatches } from 'react-router'
import type { PageHandle } from '#web/page.ts'
import { readSiteName } from '#web/parts/settings/settings.ts'

/** Keeps the document's title in step with the page, and moves the focus to a new page for screen readers and the keyboard. */
export function DocumentTitle() {
  const client = useQueryClient()
  const match = useMatches().at(-1)
  const { pathname } = useLocation()
  const shownPath = useRef(pathname)
  // A title may depend on a read: this renders again when one has ended.
  useIsFetching()
  const handle = match?.handle as PageHandle | undefined
  const head = handle?.head({ client, params: match?.params ?? {} })
  const siteName = readSiteName(client)
  const title = head && (head.title === siteName ? siteName : `${head.title} — ${siteName}`)

  useEffect(() => {
    if (title) document.title = title
  }, [title])

  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [pathname])

  return null
}
