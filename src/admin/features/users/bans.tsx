import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { ChoiceField, MomentField, typedMoment } from '#admin/kit/fields.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { ActOnSeveral } from '#admin/kit/several.tsx'
import { type OperatorUser, operatorUserActs, type OperatorUserDetail } from '#contract/operator/users.ts'
import { banEnd, type BanScope } from '#contract/users.ts'
import { Badge } from '#ui/badge.tsx'
import { actsCopy, usersCopy } from './users.copy.ts'

type BadgesProps = { user: Pick<OperatorUser, 'activated' | 'sign_in_ban_until' | 'trading_ban_until'> }

/** The active bans, or whether the account may trade. */
export function BanBadges({ user: { activated, sign_in_ban_until, trading_ban_until } }: BadgesProps) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1 md:justify-start">
      {sign_in_ban_until && (
        <Badge tone="danger">{usersCopy.ban(usersCopy.scopes['sign-in'], banEnd(sign_in_ban_until))}</Badge>
      )}
      {trading_ban_until && (
        <Badge tone="danger">{usersCopy.ban(usersCopy.scopes.trading, banEnd(trading_ban_until))}</Badge>
      )}
      {activated ? (
        <Badge tone="success">{usersCopy.activated}</Badge>
      ) : (
        <Badge tone="note">{usersCopy.notActivated}</Badge>
      )}
    </span>
  )
}

const NO_BAN = { scope: 'sign-in', until: '' }

const banOf = ({ scope, until, reason }: typeof NO_BAN & { reason: string }) => ({
  scope: scope as BanScope,
  until: typedMoment(until) || null,
  reason,
})

function BanFields({ form }: { form: ActForm<typeof NO_BAN> }) {
  return (
    <>
      <p>{actsCopy.banText}</p>
      <ChoiceField {...form.field('scope')} label={actsCopy.scope} options={optionsOf(actsCopy.scopes)} />
      <MomentField {...form.field('until')} label={actsCopy.until} hint={actsCopy.untilHint} isOptional />
    </>
  )
}

type Props = { user: OperatorUserDetail; onClose: () => void }

/** Bans from signing in or from trading, until a moment in Vietnam or for good. */
export function BanDialog({ user, onClose }: Props) {
  return (
    <ActDialog
      title={actsCopy.banTitle(user.username)}
      submitLabel={actsCopy.ban}
      endpoint={operatorUserActs.ban}
      params={{ id: user.id }}
      start={NO_BAN}
      toBody={banOf}
      onClose={onClose}
    >
      {(form) => <BanFields form={form} />}
    </ActDialog>
  )
}

/** The same for the chosen players, with one reason. */
export function BanMany({ chosen, onDone }: { chosen: readonly OperatorUser[]; onDone: () => void }) {
  return (
    <ActOnSeveral
      label={actsCopy.banMany}
      count={chosen.length}
      endpoint={operatorUserActs.banMany}
      start={NO_BAN}
      toBody={(values) => ({ ids: chosen.map(({ id }) => id), ...banOf(values) })}
      linkTo={(id) => ({
        to: `/users/${id}`,
        name: chosen.find((one) => one.id === id)?.username ?? id,
      })}
      onDone={onDone}
    >
      {(form) => (
        <>
          <p className="wrap-anywhere">{chosen.map(({ username }) => username).join(', ')}</p>
          <BanFields form={form} />
        </>
      )}
    </ActOnSeveral>
  )
}
