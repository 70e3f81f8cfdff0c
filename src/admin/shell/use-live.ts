import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { operatorAlarms } from '#contract/operator/alarms.ts'
import { showToast } from '#admin/kit/toast-store.ts'
import { followWaiting } from '#admin/session/waiting.ts'
import { consoleCopy as copy } from '#admin/shell/console.copy.ts'

/** While somebody is signed in: what comes is told in a word, and what shows its kind is read again. */
export function useLive(isOpen: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    followWaiting(leaving.signal, (kind, hasCome) => {
      if (hasCome) showToast(copy.news[kind])
      const isAbout = (path: unknown) =>
        path === operatorAlarms.list.path || String(path).startsWith(`/operator/${kind}`)
      void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isAbout(path) })
    })
    return () => leaving.abort()
  }, [client, isOpen])
}
