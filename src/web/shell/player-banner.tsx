import { usePathname } from '#web/navigation.tsx'
import { useSession } from '#web/session/session-store.ts'
import { usePlayerFrame } from '#web/shell/load-player-frame.ts'
import { promptPlaceOf, type PromptPlace } from '#web/shell/prompt-place.ts'

/** Whole names: the styles of the first paint are found by them. */
const PLACES: Record<PromptPlace, string> = { card: 'card-place', row: 'row-place' }

/** The notices under the player's bar; the same space is kept while it is not known which there are. */
export function PlayerBanner() {
  const { user, status } = useSession()
  const frame = usePlayerFrame()
  const place = promptPlaceOf(usePathname())
  if (status === 'anonymous') return null
  return user && frame ? (
    <frame.PlayerNotices user={user} place={place} />
  ) : (
    <div aria-hidden="true" className={`kept-place ${place === null ? '' : PLACES[place]}`} />
  )
}
