import { Link, useParams } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import { banEnd, BAN_SCOPES } from '#contract/bans.ts'
import { operatorUsers, type OperatorUserDetail } from '#contract/operator/users.ts'
import { Facts, type Fact } from '#ui/facts.tsx'
import { Acts } from '#admin/features/users/acts.tsx'
import { BanBadges } from '#admin/features/users/ban-badges.tsx'
import { PlayerNotes, SessionsPanel } from '#admin/features/users/panels.tsx'
import { Trail } from '#admin/features/users/trail.tsx'
import { UnmatchedPanel } from '#admin/features/users/unmatched.tsx'
import { userCopy as copy, usersCopy } from '#admin/features/users/users.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded query={read(operatorUsers.get, { params: { id } })}>
      {(user) => (
        <ScreenFrame title={`${copy.title} ${user.username}`} acts={<BanBadges user={user} />}>
          <Acts user={user} />
          <UnmatchedPanel transfers={user.unmatched} />
          <div className="grid gap-5 xl:grid-cols-[24rem_1fr]">
            <div className="min-w-0 space-y-5">
              <Panel title={copy.facts}>
                <Facts facts={factsOf(user)} />
              </Panel>
              <PlayerNotes userId={id} />
              <SessionsPanel userId={id} />
            </div>
            <Panel title={copy.trail}>
              <Trail userId={id} />
            </Panel>
          </div>
        </ScreenFrame>
      )}
    </Loaded>
  )
}

function factsOf(user: OperatorUserDetail): Fact[] {
  const { activation, invited_by: inviter, characters, roles } = user
  return [
    { label: usersCopy.server, value: user.server.name },
    { label: usersCopy.balance, value: formatNumber(user.balance) },
    ...(user.debt > 0 ? [{ label: usersCopy.debt, value: formatNumber(user.debt) }] : []),
    ...BAN_SCOPES.flatMap((scope) => {
      const ban = user.bans[scope]
      if (ban === null) return []
      return [
        {
          label: usersCopy.scopes[scope],
          value: copy.banUntil(banEnd(ban.until), ban.reason ?? copy.noReason),
        },
      ]
    }),
    { label: copy.email, value: contactText(user.email) },
    { label: copy.phone, value: contactText(user.phone) },
    { label: copy.secondFactor, value: user.has_second_factor ? copy.on : copy.off },
    {
      label: copy.activation,
      value: activation
        ? copy.activatedAt(momentText(activation.at), formatNumber(activation.fee))
        : usersCopy.notActivated,
    },
    { label: usersCopy.createdAt, value: momentText(user.created_at) },
    { label: copy.lastSignIn, value: momentText(user.last_sign_in_at) },
    ...(inviter
      ? [{ label: copy.inviter, value: <Link to={`/users/${inviter.id}`}>{inviter.username}</Link> }]
      : []),
    ...(roles.length > 0 ? [{ label: copy.roles, value: roles.join(', ') }] : []),
    {
      label: copy.characters,
      value: characters.map(({ name, level }) => copy.character(name, level)).join(', ') || copy.none,
    },
  ]
}

const contactText = (contact: OperatorUserDetail['email']): string =>
  contact === null ? copy.none : `${contact.masked} (${contact.verified ? copy.verified : copy.unverified})`
