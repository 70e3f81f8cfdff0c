import { BAN_SCOPES, type BanScope } from '#contract/bans.ts'
import { operatorUserActs } from '#contract/operator/user-acts.ts'
import type { OperatorUserDetail } from '#contract/operator/users.ts'
import { Field, SelectField } from '#ui/field.tsx'
import { actsCopy as copy } from '#admin/features/users/acts.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

type Props = { user: OperatorUserDetail; onClose: () => void }

/** Bans from signing in or from trading, until a moment in Vietnam or for good. */
export function BanDialog({ user, onClose }: Props) {
  return (
    <ActDialog
      title={copy.banTitle(user.username)}
      submitLabel={copy.ban}
      endpoint={operatorUserActs.ban}
      params={{ id: user.id }}
      start={{ scope: 'sign-in', until: '' }}
      toBody={({ scope, until, reason }) => ({
        scope: scope as BanScope,
        // A clock on the wall in Vietnam, whose offset does not change.
        until: until === '' ? null : `${until}:00+07:00`,
        reason,
      })}
      onClose={onClose}
    >
      {(form) => (
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
      )}
    </ActDialog>
  )
}
