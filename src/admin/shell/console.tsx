import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { PageSkeleton } from '#admin/kit/loaded.tsx'
import { showToast, ToastHost } from '#client/toasts.tsx'
import { type Screen, screens } from '#admin/screens.ts'
import { useConsoleSession, watchIdle } from '#admin/session/console-session.ts'
import { isOwnAct } from '#admin/session/own-acts.ts'
import { followWaiting } from '#admin/session/waiting.ts'
import { read } from '#admin/query.ts'
import { type AlarmName, operatorAlarms } from '#contract/operator/alarms.ts'
import { consoleCopy as copy } from './console.copy.ts'
import { Boundary } from '#ui/failure.tsx'
import { Frame } from './frame.tsx'
import { EndedScreen, LockScreen, SignIn, StepUpDialog } from './sign-in.tsx'

/** What is shown depends on the session; a locked one covers the screen, which stays as it was left. */
export function Console() {
  const session = useConsoleSession()
  const { status, operator } = session
  useEffect(watchIdle, [])
  useLive(status === 'signed-in')
  if (status === 'checking') return <PageSkeleton />
  if (session.status === 'signed-out') return <SignIn wasEnded={session.wasEnded} />
  return (
    <>
      {operator !== null && (
        <Frame>
          <Outlet />
        </Frame>
      )}
      {session.status === 'ended' ? (
        <EndedScreen username={session.operator.username} />
      ) : status === 'locked' ? (
        <LockScreen />
      ) : (
        <StepUpDialog />
      )}
      <Boundary>
        <ToastHost />
      </Boundary>
    </>
  )
}

/** The names of the lists, as in their calls, that show an alarm. */
const listsOf = (name: AlarmName): string[] =>
  Object.values<Screen>(screens)
    .filter(({ waits }) => waits?.includes(name))
    .map(({ path }) => path.slice(1))

/** Shows a message about news, unless it comes from an act of this operator. */
async function reportNews(name: AlarmName, id: string): Promise<void> {
  const news = copy.news[name]
  if (news === undefined) return
  const own = await Promise.all(listsOf(name).map((list) => isOwnAct(list, id)))
  if (!own.includes(true)) showToast(news)
}

const alarmsQuery = read(operatorAlarms.list)

/** While somebody is signed in: shows a message about news, and refreshes the lists of its kind. */
function useLive(isOpen: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    followWaiting(leaving.signal, {
      async shown() {
        const isShown = client.getQueryState(alarmsQuery.queryKey) !== undefined
        return isShown ? client.fetchQuery({ ...alarmsQuery, staleTime: Infinity }) : undefined
      },
      onNews(name, newestId) {
        if (newestId !== null) void reportNews(name, newestId)
        const lists = listsOf(name)
        const isAbout = (path: unknown) =>
          path === operatorAlarms.list.path ||
          lists.some((list) => String(path).startsWith(`/operator/${list}`))
        void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isAbout(path) })
      },
    })
    return () => leaving.abort()
  }, [client, isOpen])
}
