import { useState, type ComponentProps, type FormEvent } from 'react'
import { TRANSACTION_NAMES, TRANSACTION_TYPES, type TransactionType } from '#contract/transactions.ts'
import { Button } from '#ui/button.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import {
  EVERYTHING,
  isFiltered,
  isReversed,
  STATEMENT_SORTS,
  type StatementSort,
  type StatementView,
} from '#web/features/statements/statement-query.ts'
import { sortLabels, statementsCopy as copy } from '#web/features/statements/statements.copy.ts'

type Props = { view: StatementView; onChange: (change: Partial<StatementView>) => void }

/** The filters of the statement. Choices apply at once, the search when it is submitted. */
export function StatementFilters({ view, onChange }: Props) {
  const [search, setSearch] = useDraft(view.search)

  function submit(event: FormEvent) {
    event.preventDefault()
    onChange({ search: search.trim() })
  }

  return (
    <form aria-label={copy.filters} className="space-y-3" onSubmit={submit}>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-[1fr_1fr_1fr_1fr]">
        <SelectField
          label={copy.type}
          frameClass="max-sm:col-span-2"
          value={view.type ?? ''}
          onChange={({ target }) => onChange({ type: (target.value || null) as TransactionType | null })}
        >
          <option value="">{copy.allTypes}</option>
          {TRANSACTION_TYPES.map((type) => (
            <option key={type} value={type}>
              {TRANSACTION_NAMES[type]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={copy.sort}
          frameClass="max-sm:col-span-2"
          value={view.sort}
          onChange={({ target }) => onChange({ sort: target.value as StatementSort })}
        >
          {STATEMENT_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {sortLabels[sort]}
            </option>
          ))}
        </SelectField>
        <DayRange view={view} onChange={onChange} />
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-48 flex-1">
          <Field
            label={copy.search}
            type="search"
            placeholder={copy.searchPlaceholder}
            maxLength={64}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
        <Button type="submit" kind="plain">
          {copy.find}
        </Button>
        {isFiltered(view) && (
          <Button kind="quiet" onClick={() => onChange({ ...EVERYTHING, sort: view.sort })}>
            {copy.clear}
          </Button>
        )}
      </div>
    </form>
  )
}

function DayRange({ view, onChange }: Props) {
  return (
    <>
      <DayField
        label={copy.from}
        max={view.to || undefined}
        day={view.from}
        error={isReversed(view) ? copy.reversed : undefined}
        onDay={(from) => onChange({ from })}
      />
      <DayField label={copy.to} min={view.from || undefined} day={view.to} onDay={(to) => onChange({ to })} />
    </>
  )
}

type DayProps = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type'> & {
  day: string
  onDay: (day: string) => void
}

/** While a year is typed digit by digit, earlier years pass: only days since 2000 are applied. */
function DayField({ day, onDay, ...field }: DayProps) {
  const [text, setText] = useDraft(day)
  return (
    <Field
      {...field}
      type="date"
      // On a small phone two of them stand side by side.
      className="max-sm:px-1.5 max-sm:tracking-tight"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (target.value === '' || target.value >= '2000') onDay(target.value)
      }}
    />
  )
}

/** The text being typed; replaced when the applied value changes, for example by the back button. */
function useDraft(taken: string): [string, (text: string) => void] {
  const [draft, setDraft] = useState({ of: taken, text: taken })
  if (draft.of !== taken) setDraft({ of: taken, text: taken })
  return [draft.of === taken ? draft.text : taken, (text) => setDraft({ of: taken, text })]
}
