import { paths } from '#contract/pages.ts'
import type { PromptPlace } from '#web/shell/player-frame.tsx'
import { usePathname } from '#web/navigation.tsx'
import { useSession } from '#web/session/session-store.ts'
import { usePlayerFrame } from '#web/shell/load-player-frame.ts'

const { exchange, gift, recharge, transfer, profile } = paths
const pagesOfMoney = [exchange, gift, recharge, transfer, profile]

function promptPlaceOf(pathname: string): PromptPlace | null {
  if (pathname === paths.home) return 'card'
  const isOfMoney = pagesOfMoney.some((path) => pathname === path || pathname.startsWith(`${path}/`))
  return isOfMoney ? 'row' : null
}

/** Whole names: the styles of the first paint are found by them. */
const PLACES: Record<PromptPlace, string> = { card: 'card-place', row: 'row-place' }

/** On pages of money what is chosen and paid stays in the first screen. */
const isPlaceOfQuestion = (pathname: string, place: PromptPlace | null) =>
  place !== 'row' || pathname === profile

/** The notices under the player's bar; their space is reserved until the player is known. */
export function PlayerBanner() {
  const { user, status } = useSession()
  const frame = usePlayerFrame()
  const pathname = usePathname()
  const place = promptPlaceOf(pathname)
  const isForQuestion = isPlaceOfQuestion(pathname, place)
  if (status === 'anonymous') return null
  return user && frame ? (
    <frame.PlayerNotices user={user} place={place} isForQuestion={isForQuestion} />
  ) : (
    <>
      {isForQuestion && <div aria-hidden="true" className="question-place" />}
      <div aria-hidden="true" className={`reserved-place ${place === null ? '' : PLACES[place]}`} />
    </>
  )
}
