import { useEffect } from 'react'

/** Names the tab after what it shows. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} — Vận hành`
  }, [title])
}
