import { banEnd, type User } from '#contract/users.ts'
import { formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#web/navigation.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { useSettings } from '#web/parts/settings/settings.ts'
import { useStore } from '#client/store.ts'
import { contactQuestion, isBanned, isNewcomer, logOut } from '#web/session/session-store.ts'
import { menuEntryClass, MenuLink } from '#web/parts/navigation/links.tsx'
import { Bell } from '#web/shell/bell.tsx'
import { ContactCard } from '#web/parts/contacts/contact-card.tsx'
import { NewcomerCard } from '#web/parts/newcomer/newcomer-card.tsx'

/** The texts of the frame that players alone see. */
const copy = {
  /** The server's name follows. */
  player: 'Chào bạn ở máy chủ ',
  balance: 'Số dư: ',
  logout: 'Đăng xuất',

  banTitle: 'Thông báo khóa',
  banned: (end: string) => `Tài khoản bị khóa giao dịch ${end}.`,
  banReason: (sentence: string) => ` Lý do: ${sentence}`,
  banAllows: ' Bạn vẫn có thể đọc tin và xem lịch sử của mình.',
  activation: 'Kích hoạt tài khoản',
  notActivated: 'Tài khoản chưa kích hoạt.',
  activateFor: (fee: string | null) => ` Kích hoạt một lần${fee ? ` với ${fee} TCoin` : ''} để giao dịch.`,
  activate: 'Kích hoạt',
} as const

/** Where a page shows a newcomer the next step: on the home page in a card, on pages of money in a row. */
export type PromptPlace = 'card' | 'row'

/** The players' part of the header; on phones the balance and the bell only. */
export function PlayerBar({ user }: { user: User }) {
  return (
    <div className="player-bar flex w-full items-center justify-end gap-1">
      <div className="mr-2 min-w-0 text-right max-md:hidden">
        <Greeting user={user} />
      </div>
      <Link to={paths.transactions} className="flex min-h-11 items-center rounded-lg px-2 hover:bg-gold-wash">
        <span className="sr-only">{copy.balance}</span>
        <Coins>{formatNumber(user.balance)}</Coins>
      </Link>
      <Bell key={user.id} />
      <Link to={paths.profile} className={iconClass}>
        <Icon name="user" />
        <span className="sr-only lg:not-sr-only">{pages.profile.title}</span>
      </Link>
      <button type="button" className={iconClass} onClick={() => void logOut()}>
        <Icon name="logout" />
        <span className="sr-only lg:not-sr-only">{copy.logout}</span>
      </button>
    </div>
  )
}

const iconClass =
  'flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-lg text-sm font-bold text-soft max-md:hidden hover:bg-sunken hover:text-ink lg:px-2.5'

export function Greeting({ user }: { user: User }) {
  return (
    <p className="min-w-0 leading-tight">
      <span className="block truncate text-xs text-soft">
        {copy.player}
        {user.server_name}
      </span>
      <strong className="block truncate">{user.username}</strong>
    </p>
  )
}

/** In the menu of phones, above the entries of all. */
export function PlayerEntries() {
  return (
    <ul className="grid grid-cols-2 gap-x-3">
      <li>
        <MenuLink to={paths.profile} icon="user">
          {pages.profile.title}
        </MenuLink>
      </li>
      <li>
        <MenuLink to={paths.transactions} icon="clock">
          {pages.transactions.title}
        </MenuLink>
      </li>
      <li>
        <MenuLink to={paths.deliveries()} icon="gift">
          {pages.deliveries.title}
        </MenuLink>
      </li>
      <li>
        <MenuLink to={paths.transfer} icon="send">
          {pages.transfer.title}
        </MenuLink>
      </li>
      <li>
        <MenuLink to={paths.checkIn} icon="check">
          {pages.checkIn.title}
        </MenuLink>
      </li>
      <li>
        <MenuLink to={paths.milestones} icon="bank">
          {pages.milestones.title}
        </MenuLink>
      </li>
    </ul>
  )
}

export function LogOutEntry() {
  return (
    <button
      type="button"
      className={`${menuEntryClass} border-t border-line text-vermilion`}
      onClick={() => void logOut()}
    >
      <Icon name="logout" className="size-5" />
      {copy.logout}
    </button>
  )
}

type NoticesProps = { user: User; place: PromptPlace | null; isForQuestion: boolean }

/** Under the player's bar: the ban while it lasts, the question for a contact, and the prompt to activate an account. */
export function PlayerNotices({ user, place, isForQuestion }: NoticesProps) {
  const isAsked = useStore(contactQuestion)
  return (
    <>
      {isBanned(user) && <BanNotice user={user} />}
      {isForQuestion && isAsked && <ContactCard user={user} />}
      {place === 'row' && !user.activated && <ActivationPrompt />}
      {place === 'card' && isNewcomer(user) && <NewcomerCard user={user} />}
    </>
  )
}

function BanNotice({ user }: { user: User }) {
  return (
    <section aria-label={copy.banTitle} className="bg-fill text-on-fill">
      <output className="shell-width flex items-start gap-3 py-2.5">
        <Icon name="warning" className="mt-0.5 size-5" />
        <span>
          <strong>{copy.banned(banEnd(user.ban_until ?? ''))}</strong>
          {user.ban_reason && copy.banReason(asSentence(user.ban_reason))}
          {copy.banAllows}
        </span>
      </output>
    </section>
  )
}

/** Operators write a reason with its full stop or without. */
const asSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Of fixed height: the space is reserved while the session is being verified. */
function ActivationPrompt() {
  const fee = Number(useSettings().active_fee)
  return (
    <section aria-label={copy.activation} className="activation-prompt border-b border-line bg-sunken">
      <div className="shell-width flex h-full items-center justify-between gap-2">
        <p className="text-sm leading-tight">
          <strong>{copy.notActivated}</strong>
          <span className="max-md:hidden">{copy.activateFor(fee > 0 ? formatNumber(fee) : null)}</span>
        </p>
        <Button kind="text" className="shrink-0 px-3" onClick={() => openModal('active')}>
          {copy.activate}
        </Button>
      </div>
    </section>
  )
}
