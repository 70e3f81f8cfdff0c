import { useState, type FormEvent } from 'react'
import { TRANSACTION_TYPES, type TransactionType } from '#contract/transactions.ts'
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
import { sortLabels, statementsCopy as copy, typeLabels } from '#web/features/statements/statements.copy.ts'

type Props = { view: StatementView; onChange: (change: Partial<StatementView>) => void }

/** What to list. A choice works at once; the text is searched for when it is sent. */
export function StatementFilters({ view, onChange }: Props) {
  const [search, setSearch] = useState(view.search)

  function submit(event: FormEvent) {
    event.preventDefault()
    onChange({ search: search.trim() })
  }

  return (
    <form aria-label={copy.filters} className="space-y-3" onSubmit={submit}>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-[1fr_1fr_1fr_1fr]">
        <SelectField
          label={copy.type}
          value={view.type ?? ''}
          onChange={({ target }) => onChange({ type: (target.value || null) as TransactionType | null })}
        >
          <option value="">{copy.allTypes}</option>
          {TRANSACTION_TYPES.map((type) => (
            <option key={type} value={type}>
              {typeLabels[type]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={copy.sort}
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
        <div className="min-w-0 flex-1">
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
      <Field
        label={copy.from}
        type="date"
        max={view.to || undefined}
        value={view.from}
        error={isReversed(view) ? copy.reversed : undefined}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <Field
        label={copy.to}
        type="date"
        min={view.from || undefined}
        value={view.to}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </>
  )
}
