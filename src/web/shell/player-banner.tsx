import { formatNumber } from '#contract/format-number.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { useSession } from '#web/session/session-store.ts'
import { formatMoment } from '#web/shell/format.ts'
import { openModal } from '#web/shell/modal-store.ts'
import { useSettings } from '#web/shell/settings.ts'

/** Under the player's bar: the ban while it lasts, and the way to activate an account that is not. */
export function PlayerBanner() {
  const { user } = useSession()
  if (!user) return null
  return (
    <>
      {isBanned(user) && <BanNotice user={user} />}
      {!user.activated && <ActivationPrompt />}
    </>
  )
}

export function isBanned(user: User, now_ms = Date.now()): boolean {
  return user.ban_until !== null && Date.parse(user.ban_until) > now_ms
}

function BanNotice({ user }: { user: User }) {
  return (
    <div className="bg-fill text-on-fill">
      <output className="shell-width flex items-start gap-3 py-2.5">
        <Icon name="warning" className="mt-0.5 size-5" />
        <span>
          <strong>Tài khoản bị khóa giao dịch đến {formatMoment(user.ban_until ?? '')}.</strong>
          {user.ban_reason && ` Lý do: ${user.ban_reason}.`} Bạn vẫn có thể đọc tin và xem lịch sử của mình.
        </span>
      </output>
    </div>
  )
}

function ActivationPrompt() {
  const fee = Number(useSettings().active_fee)
  return (
    <div className="border-y border-line bg-sunken">
      <div className="shell-width flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
        <p className="min-w-52 flex-1 text-[0.9375rem]">
          Tài khoản chưa kích hoạt. Kích hoạt một lần
          {fee > 0 && (
            <>
              {' '}
              với <strong>{formatNumber(fee)} TCoin</strong>
            </>
          )}{' '}
          để mở tính năng giao dịch.
        </p>
        <Button kind="plain" onClick={() => openModal('active')}>
          Kích hoạt
        </Button>
      </div>
    </div>
  )
}
