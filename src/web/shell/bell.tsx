import { useCallback, useEffect, useState } from 'react'
import { pages } from '#contract/pages.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyContent } from '#web/parts/fallbacks/lazy-content.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'

const load = () => import('#web/shell/bell-watch.tsx')
const UnreadCount = lazyComponent<object>(() => load().then((part) => part.UnreadCount))
const NoticesPanel = lazyContent<{ onClose: () => void }>(() => load().then((part) => part.NoticesPanel), {
  height: 38,
})

/** What reads the notices comes after the page; one that is left at once needs none. */
const COUNT_AFTER_MS = 3_000

/** The way to the notices, in every header. */
export function Bell() {
  const [isCounting, setCounting] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])

  useEffect(() => {
    const timer = setTimeout(() => setCounting(true), COUNT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  return (
    <div className="bell">
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="bell" className="size-6" />
        <span className="sr-only">{pages.notices.title}</span>
      </button>
      {isCounting && <UnreadCount />}
      {isOpen && (
        <Dialog title={pages.notices.title} onClose={close}>
          <NoticesPanel onClose={close} />
        </Dialog>
      )}
    </div>
  )
}
