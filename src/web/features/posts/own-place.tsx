import { Suspense } from 'react'
import { lazyComponent } from '#web/load-chunk.ts'
import { useSession } from '#web/session/session-store.ts'
import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import type { User } from '#contract/users.ts'

const OwnCards = lazyComponent<{ user: User }>(() =>
  import('#web/features/posts/own-cards.tsx').then((part) => part.OwnCards),
)

/**
 * What concerns a player, above what concerns everybody. Of fixed height, and there from the first paint on where a session
 * is stored; a newcomer has the three steps in its place.
 */
export function OwnPlace() {
  const { status, user, isLeaving } = useSession()
  if (status === 'anonymous') return null
  return (
    <section aria-label={copy.own} className="own-place-home while-signed-in bg-sunken">
      {user && !isLeaving && (
        <Suspense fallback={null}>
          <OwnCards user={user} />
        </Suspense>
      )}
    </section>
  )
}
