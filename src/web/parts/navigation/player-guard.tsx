import { useEffect, type ReactNode } from 'react'
import { useNavigate, usePathname } from '#web/navigation.tsx'
import { accessDecision } from '#web/session/access.ts'
import { useSession } from '#web/session/session-store.ts'
import { outcomeCopy, showToast } from '#web/parts/outcomes/announce.ts'
import { PageSkeleton } from '#web/parts/fallbacks/fallbacks.tsx'

type Props = {
  /** The page that visitors are led to is shown beside this. */
  hasPage: boolean
  children: ReactNode
}

/**
 * Shows the pages of players to players; others are led to the login, which remembers the address. The server's
 * HTML holds both the visitor's page and the player's placeholder, as in the session's bar.
 */
export function PlayerGuard({ hasPage, children }: Props) {
  const { status, isServerSilent, wasExpired } = useSession()
  const pathname = usePathname()
  const navigate = useNavigate()
  const decision = accessDecision('player', status)
  const target = 'goTo' in decision ? decision.goTo : null

  useEffect(() => {
    if (!target) return
    const state = { next: pathname + location.search }
    // A task of its own: together with the first rendering of the session it would hold up a slow phone's input.
    const timer = setTimeout(() => {
      if (wasExpired) showToast(outcomeCopy.sessionExpired)
      void navigate(target, { replace: true, state })
    })
    return () => clearTimeout(timer)
  }, [target, navigate, pathname, wasExpired])

  if ('show' in decision) return children
  if (status === 'unknown') {
    return (
      <div className="while-signed-in">
        <PageSkeleton />
      </div>
    )
  }
  return hasPage ? null : <PageSkeleton isServerSilent={isServerSilent} />
}
