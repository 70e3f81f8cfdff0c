import { serverNow } from '#client/server-clock.ts'
import { useId, useState, type ComponentProps, type FormEvent } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import {
  chipOf,
  DAY_CHIPS,
  daysOf,
  filterCount,
  isReversed,
  saveStatement,
  EVERYTHING,
  isFiltered,
  STATEMENT_SORTS,
  type StatementView,
  type StatementSort,
} from '#web/features/statements/statement-query.ts'
import { statementsCopy as copy, sortLabels } from '#web/features/statements/statements.copy.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { TRANSACTION_NAMES, TRANSACTION_TYPES, type TransactionType } from '#contract/transactions.ts'
import { Field, SelectField } from '#ui/field.tsx'

type ToolsProps = {
  view: StatementView
  /** There is something that a file could hold. */
  canSave: boolean
  onChange: (change: Partial<StatementView>) => void
}

/** The tools of the statement: days by one tap, all other filters behind a button, and the file. */
export function StatementTools({ view, canSave, onChange }: ToolsProps) {
  const [isOpen, setOpen] = useState(isReversed(view))
  const filtersId = useId()
  const [now_ms] = useState(serverNow)
  const chosen = chipOf(view, now_ms)
  const count = filterCount(view, chosen !== undefined)
  return (
    <>
      <div className="flex flex-col gap-2 sm:flex-row sm:flex-wrap sm:justify-between">
        <div role="group" aria-label={copy.days} className="flex flex-wrap gap-2 max-sm:*:flex-auto">
          {DAY_CHIPS.map((chip) => (
            <Button
              key={chip}
              kind="plain"
              aria-pressed={chip === chosen}
              className="px-1 whitespace-nowrap sm:px-4 aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:ring-1 aria-pressed:ring-vermilion"
              onClick={() => onChange(daysOf(chip, now_ms))}
            >
              {copy.dayChip(chip)}
            </Button>
          ))}
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2 sm:flex">
          <Button
            kind="plain"
            aria-expanded={isOpen}
            aria-controls={filtersId}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="filter" />
            {count > 0 ? copy.filterCount(count) : copy.filter}
          </Button>
          <SaveStatement view={view} isDisabled={!canSave} />
        </div>
      </div>
      <div id={filtersId} hidden={!isOpen} className="mt-3 rounded-xl bg-sunken p-4">
        <StatementFilters view={view} onChange={onChange} />
      </div>
    </>
  )
}

/** Shown, but disabled, before anything can be saved: otherwise the elements beside it would move. */
function SaveStatement({ view, isDisabled }: { view: StatementView; isDisabled: boolean }) {
  const [isSaving, setSaving] = useState(false)

  async function save() {
    setSaving(true)
    await saveStatement(view).catch(reportFailure)
    setSaving(false)
  }

  return (
    <Button kind="plain" isBusy={isSaving} disabled={isDisabled} onClick={() => void save()}>
      <Icon name="download" />
      {copy.saveFile}
    </Button>
  )
}

type FilterProps = { view: StatementView; onChange: (change: Partial<StatementView>) => void }

/** The filters of the statement. Choices apply at once, the search when it is submitted. */
function StatementFilters({ view, onChange }: FilterProps) {
  const [search, setSearch] = useDraft(view.search)

  function submit(event: FormEvent) {
    event.preventDefault()
    onChange({ search: search.trim() })
  }

  return (
    <form aria-label={copy.filters} className="space-y-3" onSubmit={submit}>
      <div className="grid gap-3 max-sm:grid-cols-[repeat(auto-fit,minmax(min(8.25rem,100%),1fr))] sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1fr]">
        <SelectField
          label={copy.type}
          frameClass="max-sm:col-span-full"
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
          frameClass="max-sm:col-span-full"
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
        <div className="min-w-0 grow basis-48">
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
          <Button kind="text" onClick={() => onChange({ ...EVERYTHING, sort: view.sort })}>
            {copy.clear}
          </Button>
        )}
      </div>
    </form>
  )
}

function DayRange({ view, onChange }: FilterProps) {
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
