import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { usePathname, useShownPage } from '#web/navigation.tsx'
import { readSiteName } from '#web/parts/settings/settings.ts'

/** Keeps the document's title in step with the page, and moves the focus to a new page for screen readers and the keyboard. */
export function DocumentTitle() {
  const client = useQueryClient()
  const { handle, params } = useShownPage()
  const pathname = usePathname()
  const shownPath = useRef(pathname)
  // A title may depend on a read: this renders again when one has ended.
  useIsFetching()
  const head = handle?.head({ client, params })
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
