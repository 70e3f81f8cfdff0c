import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { judgeVisit } from '#web/session/guard.ts'
import { useSession } from '#web/session/session-store.ts'
import { PageSkeleton } from '#web/parts/page-states/page-skeleton.tsx'

/** Shows the pages of players to players; others are led to the login, which remembers where they wanted to go. */
export function PlayerGuard() {
  const { status, isServerSilent } = useSession()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const verdict = judgeVisit('player', status)
  const target = 'goTo' in verdict ? verdict.goTo : null

  useEffect(() => {
    if (target) void navigate(target, { replace: true, state: { next: pathname + search } })
  }, [target, navigate, pathname, search])

  if ('show' in verdict) return <Outlet />
  return <PageSkeleton isServerSilent={isServerSilent} />
}
