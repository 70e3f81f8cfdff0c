import { useEffect, type ReactNode } from 'react'
import { useNavigate, usePathname } from '#web/navigation.tsx'
import { judgeVisit } from '#web/session/guard.ts'
import { useSession } from '#web/session/session-store.ts'
import { PageSkeleton } from '#web/parts/page-states/page-skeleton.tsx'

/** Shows the pages of players to players; others are led to the login, which remembers where they wanted to go. */
export function PlayerGuard({ children }: { children: ReactNode }) {
  const { status, isServerSilent } = useSession()
  const pathname = usePathname()
  const navigate = useNavigate()
  const verdict = judgeVisit('player', status)
  const target = 'goTo' in verdict ? verdict.goTo : null

  useEffect(() => {
    if (target) void navigate(target, { replace: true, state: { next: pathname + location.search } })
  }, [target, navigate, pathname])

  if ('show' in verdict) return children
  return <PageSkeleton isServerSilent={isServerSilent} />
}
