import { BAN_SCOPES, type BanScope } from '#contract/users.ts'
import { type OperatorUser, operatorUserActs, type OperatorUserDetail } from '#contract/operator/users.ts'
import { Field, SelectField } from '#ui/field.tsx'
import { actsCopy as copy } from './users.copy.ts'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { ActOnSeveral } from '#admin/kit/several.tsx'

const NO_BAN = { scope: 'sign-in', until: '' }

const banOf = ({ scope, until, reason }: typeof NO_BAN & { reason: string }) => ({
  scope: scope as BanScope,
  // A clock on the wall in Vietnam, whose offset does not change.
  until: until === '' ? null : `${until}:00+07:00`,
  reason,
})

function BanFields({ form }: { form: ActForm<typeof NO_BAN> }) {
  return (
    <>
      <p>{copy.banText}</p>
      <SelectField {...form.field('scope')} label={copy.scope}>
        {BAN_SCOPES.map((scope) => (
          <option key={scope} value={scope}>
            {copy.scopes[scope]}
          </option>
        ))}
      </SelectField>
      <Field
        {...form.field('until')}
        type="datetime-local"
        label={copy.until}
        hint={copy.untilHint}
        isOptional
      />
    </>
  )
}

type Props = { user: OperatorUserDetail; onClose: () => void }

/** Bans from signing in or from trading, until a moment in Vietnam or for good. */
export function BanDialog({ user, onClose }: Props) {
  return (
    <ActDialog
      title={copy.banTitle(user.username)}
      submitLabel={copy.ban}
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
      label={copy.banMany}
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
