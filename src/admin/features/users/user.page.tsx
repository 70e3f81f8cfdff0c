import { Link, useParams } from 'react-router'
import { momentText, vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Loaded, Parts } from '#admin/kit/loaded.tsx'
import { NotesPanel } from '#admin/kit/notes-panel.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import {
  NOTE_MAX,
  operatorUserActs as calls,
  type OperatorUserDetail,
  operatorUsers,
  type Unmatched,
} from '#contract/operator/users.ts'
import { BAN_SCOPES, banEnd } from '#contract/users.ts'
import { buttonClass } from '#ui/button.tsx'
import { type Fact, Facts } from '#ui/facts.tsx'
import { Acts } from './acts.tsx'
import { BanBadges } from './bans.tsx'
import { Trail } from './trail.tsx'
import { panelsCopy, userCopy, usersCopy } from './users.copy.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded query={read(operatorUsers.get, { params: { id } })}>
      {(user) => (
        <ScreenFrame title={`${userCopy.title} ${user.username}`} acts={<BanBadges user={user} />}>
          <Acts user={user} />
          <UnmatchedPanel transfers={user.unmatched} />
          <div className="grid gap-5 xl:grid-cols-[24rem_1fr]">
            <div className="min-w-0 space-y-5">
              <Panel title={userCopy.facts}>
                <Facts facts={factsOf(user)} />
              </Panel>
              <PlayerNotes userId={id} />
              <SessionsPanel userId={id} />
            </div>
            <Panel title={userCopy.trail}>
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
    { label: labels.server, value: user.server.name },
    { label: usersCopy.balance, value: formatNumber(user.balance) },
    ...(user.debt > 0 ? [{ label: usersCopy.debt, value: formatNumber(user.debt) }] : []),
    ...BAN_SCOPES.flatMap((scope) => {
      const ban = user.bans[scope]
      if (ban === null) return []
      return [
        {
          label: usersCopy.scopes[scope],
          value: userCopy.banUntil(banEnd(ban.until), ban.reason ?? userCopy.noReason),
        },
      ]
    }),
    { label: userCopy.email, value: contactText(user.email) },
    { label: userCopy.phone, value: contactText(user.phone) },
    { label: userCopy.secondFactor, value: user.has_second_factor ? userCopy.on : userCopy.off },
    {
      label: userCopy.activation,
      value: activation
        ? userCopy.activatedAt(momentText(activation.at), formatNumber(activation.fee))
        : usersCopy.notActivated,
    },
    { label: usersCopy.createdAt, value: momentText(user.created_at) },
    { label: userCopy.lastSignIn, value: momentText(user.last_sign_in_at) },
    ...(inviter
      ? [{ label: userCopy.inviter, value: <Link to={`/users/${inviter.id}`}>{inviter.username}</Link> }]
      : []),
    ...(roles.length > 0 ? [{ label: userCopy.roles, value: roles.join(', ') }] : []),
    {
      label: userCopy.characters,
      value:
        characters
          .map(({ name, class_name, level }) => userCopy.character(name, class_name, level))
          .join(', ') || userCopy.none,
    },
  ]
}

const contactText = (contact: OperatorUserDetail['email']): string =>
  contact === null
    ? userCopy.none
    : `${contact.masked} (${contact.verified ? userCopy.verified : userCopy.unverified})`

function PlayerNotes({ userId }: { userId: string }) {
  const may = useMay()
  return (
    <NotesPanel
      list={calls.notes}
      add={calls.addNote}
      params={{ id: userId }}
      max={NOTE_MAX}
      mayAdd={may('users.assist')}
      empty={panelsCopy.noNotes}
    />
  )
}

function SessionsPanel({ userId }: { userId: string }) {
  return (
    <Panel title={panelsCopy.sessions}>
      <Loaded query={read(calls.sessions, { params: { id: userId } })}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="text-soft">{panelsCopy.noSessions}</p>
          ) : (
            <ul className="divide-y divide-line">
              {sessions.map(({ id, device, place, kind, last_used_at }) => (
                <li key={id} className="py-2">
                  {panelsCopy.session(device, place)} · {panelsCopy.kinds[kind]}
                  <span className="block text-sm text-soft">
                    {panelsCopy.lastUsed(momentText(last_used_at))}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <details className="mt-3">
        <summary className="font-bold">{panelsCopy.signIns}</summary>
        <Parts endpoint={calls.signIns} params={{ id: userId }} empty={panelsCopy.noSignIns}>
          {({ at, device, place, outcome, is_new_device }) => (
            <>
              {panelsCopy.outcomes[outcome]} · {panelsCopy.session(device, place)}
              {is_new_device && ` · ${panelsCopy.newDevice}`}
              <span className="block text-sm text-soft">{momentText(at)}</span>
            </>
          )}
        </Parts>
      </details>
    </Panel>
  )
}

/** Money that waits for a decision, each beside the unpaid order it may be for. */
function UnmatchedPanel({ transfers }: { transfers: readonly Unmatched[] }) {
  if (transfers.length === 0) return null
  return (
    <Panel title={userCopy.unmatched}>
      <p className="mb-3 text-sm text-soft">{userCopy.unmatchedText}</p>
      <ul className="divide-y divide-line">
        {transfers.map((transfer) => (
          <Row key={transfer.bank_transfer_id} transfer={transfer} />
        ))}
      </ul>
    </Panel>
  )
}

function Row({ transfer }: { transfer: Unmatched }) {
  const { bank_transfer_id, amount, account_number, bank_ref, booked_at, created_at, memo, why, order } =
    transfer
  return (
    <li className="grid gap-3 py-3 md:grid-cols-[1fr_1fr_auto] md:items-center">
      <div className="min-w-0">
        <p>
          {labels.transfer} <strong>{vnd(amount)}</strong> · {momentText(booked_at ?? created_at)}
        </p>
        <p className="text-sm wrap-anywhere text-soft">
          {[account_number, bank_ref, memo].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="min-w-0">
        {order === null ? (
          <p className="text-soft">{userCopy.noOrder}</p>
        ) : (
          <p>
            {labels.order} <Link to={`/recharge-orders/${order.code}`}>{order.code}</Link>{' '}
            <strong>{vnd(order.amount)}</strong> · {momentText(order.created_at)}
          </p>
        )}
        <p className="text-sm text-soft">{why}</p>
      </div>
      <Link to={`/bank-transfers/${bank_transfer_id}`} className={buttonClass('main')}>
        {userCopy.match}
      </Link>
    </li>
  )
}
