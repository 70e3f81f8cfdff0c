import type { User } from '#contract/users.ts'
import { pages } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { TransferSheet } from '#web/features/transfers/transfer-sheet.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import type { Page } from '#web/page.ts'
import { isBanned, useSession } from '#web/session/session-store.ts'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { useSettings } from '#web/parts/settings/settings.ts'

function TransferPage() {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title text-3xl">{pages.transfer.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <Body user={user} />
    </div>
  )
}

/** The form, or the reason why it is closed. */
function Body({ user }: { user: User }) {
  const settings = useSettings()
  if (settings.transfer_enabled === '0')
    return <PageState title={copy.disabledTitle} text={copy.disabledText} />
  if (isBanned(user)) return <PageState title={copy.bannedTitle} text={copy.bannedText} />
  if (!user.activated) {
    return (
      <PageState title={copy.notActivatedTitle}>
        <Button onClick={() => openModal('active')}>{copy.activateNow}</Button>
      </PageState>
    )
  }
  return (
    <TransferSheet
      user={user}
      terms={{
        username: user.username,
        balance: user.balance,
        activeFee: Number(settings.active_fee ?? 0),
        min: Number(settings.transfer_min ?? 1),
        dailyLimit: Number(settings.transfer_daily_limit ?? Number.MAX_SAFE_INTEGER),
      }}
      otpLimit={Number(settings.transfer_otp_limit ?? 0)}
    />
  )
}

export const page: Page = {
  Component: TransferPage,
}
