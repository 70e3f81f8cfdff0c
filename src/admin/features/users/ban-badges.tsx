import { banEnd } from '#contract/users.ts'
import type { OperatorUser } from '#contract/operator/users.ts'
import { Badge } from '#ui/badge.tsx'
import { usersCopy as copy } from '#admin/features/users/users.copy.ts'

type Props = { user: Pick<OperatorUser, 'activated' | 'sign_in_ban_until' | 'trading_ban_until'> }

/** The bans that run, or whether the account may trade. */
export function BanBadges({ user: { activated, sign_in_ban_until, trading_ban_until } }: Props) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 md:justify-start">
      {sign_in_ban_until && (
        <Badge tone="danger">{copy.ban(copy.scopes['sign-in'], banEnd(sign_in_ban_until))}</Badge>
      )}
      {trading_ban_until && (
        <Badge tone="danger">{copy.ban(copy.scopes.trading, banEnd(trading_ban_until))}</Badge>
      )}
      {activated ? (
        <Badge tone="success">{copy.activated}</Badge>
      ) : (
        <Badge tone="note">{copy.notActivated}</Badge>
      )}
    </span>
  )
}
