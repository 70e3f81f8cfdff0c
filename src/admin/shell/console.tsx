import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { EndedScreen, LockScreen } from '#admin/shell/lock-screen.tsx'
import { Frame } from '#admin/shell/frame.tsx'
import { SignIn } from '#admin/shell/sign-in.tsx'
import { StepUpDialog } from '#admin/shell/step-up-dialog.tsx'
import { useLive } from '#admin/shell/use-live.ts'
import { ToastHost } from '#admin/shell/toast-host.tsx'
import { watchIdle } from '#admin/session/idle.ts'
import { useConsoleSession } from '#admin/session/console-session.ts'
import { PageSkeleton } from '#admin/kit/page-skeleton.tsx'

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
      <ToastHost />
    </>
  )
}
