import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format-number.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { paths } from '#contract/pages.ts'
import { logOut, useSession } from '#web/session/session-store.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'

/**
 * The player's name and balance, or the visitor's buttons. The server's HTML holds both the visitor's buttons and the player's placeholder, of the same
 * height; the document's mark shows the right one before any script has run.
 */
export function SessionBar() {
  const { status, user } = useSession()
  return (
    <div className="flex min-h-13 items-center">
      {user && <PlayerPart user={user} />}
      {(status === 'unknown' || status === 'checking') && <PlayerPlaceholder />}
      {(status === 'unknown' || status === 'anonymous') && <VisitorPart />}
    </div>
  )
}

function VisitorPart() {
  return (
    <div className="while-anonymous flex w-full items-center justify-end gap-2">
      <p className="mr-auto text-sm leading-tight text-soft md:mr-2">
        {copy.visitor[0]} <span className="max-[399px]:block">{copy.visitor[1]}</span>
      </p>
      <Button kind="quiet" className="px-3" onClick={() => openModal('login')}>
        {copy.login}
      </Button>
      <Button onClick={() => openModal('register')}>{copy.register}</Button>
    </div>
  )
}

function PlayerPlaceholder() {
  return (
    <div className="while-signed-in flex w-full items-center gap-3 md:justify-end">
      <Skeleton className="h-5 w-28" />
      <Skeleton className="ml-auto h-5 w-24 md:ml-0" />
      <Skeleton className="size-9" />
      <Skeleton className="size-9" />
    </div>
  )
}

function PlayerPart({ user }: { user: User }) {
  return (
    <div className="flex w-full items-center gap-1 md:justify-end">
      <p className="mr-auto min-w-0 leading-tight md:mr-2 md:text-right">
        <span className="block truncate text-xs text-soft">
          {/* On a narrow phone there is room for the name only. */}
          <span className="max-sm:sr-only">{copy.player}</span>
          {user.server_name}
        </span>
        <strong className="block truncate">{user.username}</strong>
      </p>
      <Link to={paths.transactions} className="flex min-h-11 items-center rounded-lg px-2 hover:bg-gold-wash">
        <span className="sr-only">{copy.balance}</span>
        <Coins>{formatNumber(user.balance)}</Coins>
      </Link>
      <Link to={paths.profile} className={iconClass}>
        <Icon name="user" />
        <span className="sr-only lg:not-sr-only">{copy.account}</span>
      </Link>
      <button type="button" className={iconClass} onClick={() => void logOut()}>
        <Icon name="logout" />
        <span className="sr-only lg:not-sr-only">{copy.logout}</span>
      </button>
    </div>
  )
}

const iconClass =
  'flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-lg text-sm font-bold text-soft hover:bg-sunken hover:text-ink lg:px-2.5'
