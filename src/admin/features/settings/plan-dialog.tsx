import { operatorPlannedPrices, type OperatorSetting } from '#contract/operator/setting-calls.ts'
import { changeFactor, type SettingKey } from '#contract/operator/settings.ts'
import { momentOfField } from '#contract/format.ts'
import { Field } from '#ui/field.tsx'
import { problemOf } from '#admin/features/settings/drafts.ts'
import { plannedPricesCopy as copy } from '#admin/features/settings/planned-prices.copy.ts'
import { ValueInput } from '#admin/features/settings/value-input.tsx'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { SettingChange } from '#admin/kit/setting-value.tsx'

type Props = { setting: OperatorSetting; onClose: () => void }

/** Plans a change of a price: the value, when it comes, and when it goes back. */
export function PlanDialog({ setting, onClose }: Props) {
  const { id, label, value: present } = setting
  return (
    <ActDialog
      title={copy.planOf(label)}
      submitLabel={copy.plan}
      endpoint={operatorPlannedPrices.plan}
      start={{ value: present, starts_at: '', ends_at: '' }}
      toBody={({ value, starts_at, ends_at, reason }) => ({
        setting: id as SettingKey,
        value,
        starts_at: momentOfField(starts_at),
        ends_at: ends_at === '' ? null : momentOfField(ends_at),
        reason,
      })}
      check={({ value, starts_at }) => {
        const problem = value === present ? copy.same : problemOf(id, value)
        return {
          ...(problem !== undefined && { value: problem }),
          ...(starts_at === '' && { starts_at: copy.noStart }),
        }
      }}
      onClose={onClose}
    >
      {(form) => {
        const { value } = form.values
        return (
          <>
            <ValueInput
              setting={setting}
              text={value}
              error={form.error('value')}
              onText={(text) => form.set('value', text)}
            />
            {value !== present && problemOf(id, value) === undefined && (
              <SettingChange
                id={id}
                before={present}
                after={value}
                factor={changeFactor(id, present, value)}
              />
            )}
            <Field {...form.field('starts_at')} type="datetime-local" label={copy.startsAt} />
            <Field
              {...form.field('ends_at')}
              type="datetime-local"
              label={copy.endsAt}
              hint={copy.endsHint}
              isOptional
            />
          </>
        )
      }}
    </ActDialog>
  )
}
