import type { ComponentProps } from 'react'
import { momentOfField } from '#contract/format.ts'
import { Field, SelectField } from '#ui/field.tsx'
import { labels } from './kit.copy.ts'

/** A whole number typed into a field; anything else is refused by the schema of the call. */
export const wholeNumber = (typed: string): number =>
  /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN

/** A typed number with its sign, with or without thousands separators; the schema refuses anything else. */
export const typedNumber = (text: string): number => {
  const plain = text.replace(/[\s.,]/g, '').replace('−', '-')
  return plain === '' ? Number.NaN : Number(plain)
}

/** The moment in Vietnam of a `MomentField`. One left blank stays blank: the schema refuses it beside the field. */
export const typedMoment = (text: string): string => text && momentOfField(text)

export const MomentField = (field: Omit<ComponentProps<typeof Field>, 'type'>) => (
  <Field {...field} type="datetime-local" />
)

/** The position of a row among others. */
export const PositionField = (field: Omit<ComponentProps<typeof Field>, 'label' | 'hint' | 'inputMode'>) => (
  <Field {...field} label={labels.position} hint={labels.positionHint} inputMode="numeric" />
)

export type Option = { value: string; label: string }

type ChoiceProps = ComponentProps<typeof SelectField> & {
  options: readonly Option[]
  /** The words for none of them, where that can be chosen. */
  blank?: string
}

export const ChoiceField = ({ options, blank, ...select }: ChoiceProps) => (
  <SelectField {...select}>
    {blank !== undefined && <option value="">{blank}</option>}
    {options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </SelectField>
)
