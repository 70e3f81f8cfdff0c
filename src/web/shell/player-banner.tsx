import { banEnd } from '#contract/bans.ts'
import { formatNumber } from '#contract/format-number.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { isBanned, useSession } from '#web/session/session-store.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { useSettings } from '#web/parts/settings/settings.ts'

/** Under the player's bar: the ban while it lasts, and the prompt to activate an account. */
export function PlayerBanner() {
  const { user, status } = useSession()
  if (!user) return status === 'anonymous' ? null : <div aria-hidden="true" className="activation-place" />
  return (
    <>
      {isBanned(user) && <BanNotice user={user} />}
      {!user.activated && <ActivationPrompt />}
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

/** Of fixed height: the same space is kept while the session is being verified. */
function ActivationPrompt() {
  const fee = Number(useSettings().active_fee)
  return (
    <section aria-label={copy.activation} className="activation-prompt border-b border-line bg-sunken">
      <div className="shell-width flex h-full items-center justify-between gap-4">
        <p className="line-clamp-3 text-sm leading-snug">
          <strong>{copy.notActivated}</strong>
          {copy.activateFor(fee > 0 ? formatNumber(fee) : null)}
        </p>
        <Button kind="plain" onClick={() => openModal('active')}>
          {copy.activate}
        </Button>
      </div>
    </section>
  )
}
