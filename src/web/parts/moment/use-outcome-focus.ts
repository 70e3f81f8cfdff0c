import { useEffect, useRef } from 'react'
import { useAnnouncement } from '#web/parts/outcomes/dialog-store.ts'

/** For the heading of an outcome that is new: it gets the focus, at the top of its page, as soon as no dialog is open before it. */
export function useOutcomeFocus(isNews: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isInFront = useAnnouncement() === null
  useEffect(() => {
    if (!isNews || !isInFront) return
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [isNews, isInFront])
  return heading
}
