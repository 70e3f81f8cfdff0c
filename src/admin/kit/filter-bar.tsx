import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { ChoiceField, type Option } from './fields.tsx'
import { kitCopy } from './kit.copy.ts'

const copy = kitCopy.list

/** A filter of a list; with options it is a choice. `type` is that of the call's field: a `flag` is true or false. */
export type Filter = {
  name: string
  label: string
  options?: readonly Option[]
  type?: 'text' | 'number' | 'date' | 'flag'
  /** The option that counts while none is chosen; without it all rows are listed then. */
  usual?: (values: Record<string, string>) => string
}

/** The options of a choice, of its values with their words. */
export const optionsOf = (words: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

/** The options of a choice among rows. */
export const optionsOfRows = (rows: readonly { id: string; name: string }[]): readonly Option[] =>
  rows.map(({ id, name }) => ({ value: id, label: name }))

/** The filter of the address as the call's schema expects it. */
export const filterOf = (filters: readonly Filter[], values: Record<string, string>) => {
  const usual = filters.flatMap((filter) => (filter.usual ? [[filter.name, filter.usual(values)]] : []))
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(usual), ...values }).map(([name, value]) => {
      const type = filters.find((filter) => filter.name === name)?.type
      if (type === 'number') return [name, Number(value)]
      return [name, type === 'flag' ? value === 'true' : value]
    }),
  )
}

type Props = {
  filters: readonly Filter[]
  values: Record<string, string>
  onFilter: (values: Record<string, string>) => void
  children?: ReactNode
}

/** The filters of a list. Choices count at once, texts when they are sent. */
export function FilterBar({ filters, values, onFilter, children }: Props) {
  const [typed, setTyped] = useState<Record<string, string>>({})
  const shown = { ...values, ...typed }
  const apply = (next: Record<string, string>) => {
    setTyped({})
    onFilter(Object.fromEntries(Object.entries(next).filter(([, value]) => value.trim() !== '')))
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    apply(shown)
  }
  const acts = <div className="col-span-full flex justify-end gap-2 sm:ml-auto">{children}</div>
  // A form without a field would be announced as a search.
  if (filters.length === 0) return <div className="flex flex-wrap items-end">{acts}</div>
  return (
    <form
      className="grid grid-cols-2 items-end gap-x-2 gap-y-3 sm:flex sm:flex-wrap sm:gap-3"
      role="search"
      onSubmit={submit}
    >
      {filters.map(({ name, label, options, type, usual }) =>
        options ? (
          <ChoiceField
            key={name}
            label={label}
            frameClass="min-w-0 sm:min-w-36"
            value={shown[name] ?? usual?.(values) ?? ''}
            onChange={({ target }) => apply({ ...shown, [name]: target.value })}
            options={options}
            {...(!usual && { blank: copy.all })}
          />
        ) : (
          <Field
            key={name}
            label={label}
            type={type === 'date' ? 'date' : 'text'}
            inputMode={type === 'number' ? 'numeric' : undefined}
            frameClass="min-w-0 sm:w-40"
            // The label is enough; a longer text would be cut off.
            {...(type !== 'date' && { placeholder: '' })}
            value={shown[name] ?? ''}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        ),
      )}
      <Button type="submit" kind="plain">
        {copy.filter}
      </Button>
      {Object.keys(values).length > 0 && (
        <Button kind="text" onClick={() => apply({})}>
          {copy.clear}
        </Button>
      )}
      {acts}
    </form>
  )
}
