import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { formatDay } from '#contract/format.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { ChoiceField, type Option, typedNumber } from './fields.tsx'
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
    Object.entries<string>({ ...Object.fromEntries(usual), ...values }).map(([name, value]) => {
      const type = filters.find((filter) => filter.name === name)?.type
      if (type === 'number') return [name, typedNumber(value)]
      return [name, type === 'flag' ? value === 'true' : value]
    }),
  )
}

type Values = Record<string, string>

type Props = {
  filters: readonly Filter[]
  values: Values
  /** `isRefined`: a text that counted already is typed on, which is no step of its own on the way back. */
  onFilter: (values: Values, isRefined: boolean) => void
  children?: ReactNode
}

/** The filters of a list, which count at once: choices when they are made, texts when typing pauses or the field is left. */
export function FilterBar({ filters, values, onFilter, children }: Props) {
  const panelId = useId()
  const [isOpen, setOpen] = useState(false)
  const { shown, type, settle, apply } = useTyped({ filters, values, onFilter })
  const count = Object.keys(values).length
  return (
    <div
      className="flex flex-wrap items-end gap-x-2 gap-y-3"
      role={filters.length > 0 ? 'search' : undefined}
    >
      {filters.length > 0 && (
        <>
          <Button
            kind="plain"
            className="lg:hidden"
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="filter" />
            {count > 0 ? copy.filterOf(count) : copy.filter}
          </Button>
          <div
            id={panelId}
            className={`basis-full grid-cols-2 items-end gap-x-2 gap-y-3 sm:grid-cols-3 lg:flex lg:shrink lg:grow lg:basis-0 lg:flex-wrap lg:gap-3 ${isOpen ? 'grid' : 'hidden'}`}
          >
            {filters.map((filter) => (
              <FilterField
                key={filter.name}
                filter={filter}
                value={shown[filter.name] || (filter.usual?.(values) ?? '')}
                onType={(text) => type(filter.name, text)}
                onChoose={(value) => apply({ ...shown, [filter.name]: value })}
                onSettle={settle}
              />
            ))}
            {count > 0 && (
              <Button kind="text" className="max-lg:hidden" onClick={() => apply({})}>
                {copy.clear}
              </Button>
            )}
          </div>
        </>
      )}
      <div className="ml-auto flex justify-end gap-2">{children}</div>
      {count > 0 && (
        <ul aria-label={copy.set} className="flex basis-full flex-wrap gap-2 lg:hidden">
          {Object.keys(values).map((name) => {
            const text = wordsOf(filters, name, values)
            return (
              <li key={name} className="max-w-full">
                <button
                  type="button"
                  aria-label={copy.unset(text)}
                  className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-line-strong bg-raised px-3 text-left text-sm wrap-anywhere"
                  onClick={() => apply({ ...shown, [name]: '' })}
                >
                  {text}
                  <Icon name="close" className="size-4" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

/** What a filter is set to, in words. */
function wordsOf(filters: readonly Filter[], name: string, { [name]: value = '' }: Values): string {
  const filter = filters.find((one) => one.name === name)
  if (!filter) return copy.byLink
  const chosen = filter.options?.find((option) => option.value === value)?.label
  return `${filter.label}: ${chosen ?? (filter.type === 'date' ? formatDay(value) : value)}`
}

type FieldProps = {
  filter: Filter
  value: string
  onType: (text: string) => void
  onChoose: (value: string) => void
  /** Enter, or the field was left. */
  onSettle: () => void
}

function FilterField({ filter, value, onType, onChoose, onSettle }: FieldProps) {
  const { label, options, type, usual } = filter
  if (options) {
    return (
      <ChoiceField
        label={label}
        frameClass="min-w-0 lg:min-w-36"
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        options={options}
        {...(!usual && { blank: copy.all })}
      />
    )
  }
  return (
    <Field
      label={label}
      type={type === 'date' ? 'date' : 'text'}
      inputMode={type === 'number' ? 'numeric' : undefined}
      frameClass="min-w-0 lg:w-40"
      // The label is enough; a longer text would be cut off.
      {...(type !== 'date' && { placeholder: '' })}
      value={value}
      error={isWrong(filter, value) ? copy.notNumber : undefined}
      onChange={({ target }) => onType(target.value)}
      onBlur={onSettle}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) onSettle()
      }}
    />
  )
}

const isWrong = ({ type }: Filter, text: string): boolean =>
  type === 'number' && text.trim() !== '' && Number.isNaN(typedNumber(text))

/** How long nothing may be typed before it counts. */
const PAUSE_MS = 500

/** A year that is still being typed has zeros before it. */
const isWhole = ({ type }: Filter, text: string): boolean => type !== 'date' || text === '' || text >= '2000'

/** What is typed into the filters, until it counts. */
function useTyped({ filters, values, onFilter }: Omit<Props, 'children'>) {
  const [typed, setTyped] = useState<Values>({})
  const present = JSON.stringify(values)
  const [seen, setSeen] = useState(present)
  const [sent, setSent] = useState(present)
  if (present !== seen) {
    setSeen(present)
    // Changed by something else, like a saved filter; what was sent from here may be typed on.
    if (present !== sent) setTyped({})
  }
  // Also where the way back leads to what is still shown: a slow screen has not shown what was sent in between.
  useEffect(() => {
    const forget = () => setTyped({})
    addEventListener('popstate', forget)
    return () => removeEventListener('popstate', forget)
  }, [])
  const shown = { ...values, ...typed }
  const textOf = (name: string, from: Values) => from[name] ?? ''
  /** A text that no number can be made of does not count. */
  const send = (next: Values, isRefined: boolean) => {
    const wrong = filters.filter((filter) => isWrong(filter, textOf(filter.name, next)))
    const valid = { ...next, ...Object.fromEntries(wrong.map(({ name }) => [name, textOf(name, values)])) }
    const filled = Object.fromEntries(Object.entries(valid).filter(([, value]) => value.trim() !== ''))
    setSent(JSON.stringify(filled))
    onFilter(filled, isRefined)
  }
  const changed = filters.filter((filter) => {
    const text = textOf(filter.name, shown)
    return text !== textOf(filter.name, values) && !isWrong(filter, text)
  })
  const settle = () => {
    const isFilled = (name: string) => textOf(name, values) !== '' && textOf(name, shown) !== ''
    if (changed.length > 0)
      send(
        shown,
        changed.every(({ name }) => isFilled(name)),
      )
  }
  const isSettling = changed.some((filter) => isWhole(filter, textOf(filter.name, shown)))
  // After each rendering: it counts from what was typed last.
  useEffect(() => {
    if (!isSettling) return
    const timer = setTimeout(settle, PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return {
    shown,
    type: (name: string, text: string) => setTyped({ ...typed, [name]: text }),
    settle,
    apply: (next: Values) => {
      // Shown at once, also before the address has it.
      setTyped(Object.fromEntries(filters.map(({ name }) => [name, textOf(name, next)])))
      send(next, false)
    },
  }
}
