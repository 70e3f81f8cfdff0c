import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { operatorAlarms, type AlarmName } from '#contract/operator/alarms.ts'
import { showToast } from '#admin/kit/toast-store.ts'
import type { Screen } from '#admin/screen.ts'
import { screens } from '#admin/screens.ts'
import { isOwnDoing } from '#admin/session/own-acts.ts'
import { followWaiting } from '#admin/session/waiting.ts'
import { consoleCopy as copy } from '#admin/shell/console.copy.ts'

/** The lists of what waits, as their calls name them. */
const listsOf = (name: AlarmName): string[] =>
  Object.values<Screen>(screens)
    .filter(({ waits }) => waits?.includes(name))
    .map(({ path }) => path.slice(1))

/** What an operator has done themselves they were told when it was done. */
async function tellOf(name: AlarmName, id: string): Promise<void> {
  const news = copy.news[name]
  if (news === undefined) return
  const own = await Promise.all(listsOf(name).map((list) => isOwnDoing(list, id)))
  if (!own.includes(true)) showToast(news)
}

/** While somebody is signed in: what comes is told in a word, and what shows its kind is read again. */
export function useLive(isOpen: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    followWaiting(leaving.signal, (name, come) => {
      if (come !== null) void tellOf(name, come)
      const lists = listsOf(name)
      const isAbout = (path: unknown) =>
        path === operatorAlarms.list.path ||
        lists.some((list) => String(path).startsWith(`/operator/${list}`))
      void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isAbout(path) })
    })
    return () => leaving.abort()
  }, [client, isOpen])
}
