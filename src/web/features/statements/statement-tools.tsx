import { useId, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { chipOf, DAY_CHIPS, daysOf } from '#web/features/statements/statement-days.ts'
import { StatementFilters } from '#web/features/statements/statement-filters.tsx'
import { filterCount, isReversed, type StatementView } from '#web/features/statements/statement-query.ts'
import { saveStatement } from '#web/features/statements/statements.api.ts'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'

type Props = {
  view: StatementView
  /** There is something that a file could hold. */
  canSave: boolean
  onChange: (change: Partial<StatementView>) => void
}

/** What is done with the statement: its days by one tap, all other filters behind a button, the file beside it. */
export function StatementTools({ view, canSave, onChange }: Props) {
  const [isOpen, setOpen] = useState(isReversed(view))
  const filtersId = useId()
  const [now_ms] = useState(Date.now)
  const chosen = chipOf(view, now_ms)
  const count = filterCount(view, chosen !== undefined)
  return (
    <>
      <div className="flex flex-col gap-2 sm:flex-row sm:flex-wrap sm:justify-between">
        <div
          role="group"
          aria-label={copy.days}
          className="grid grid-cols-[repeat(auto-fit,minmax(4.5rem,1fr))] gap-2 sm:flex"
        >
          {DAY_CHIPS.map((chip) => (
            <Button
              key={chip}
              kind="plain"
              aria-pressed={chip === chosen}
              className="px-1 sm:px-4 aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:ring-1 aria-pressed:ring-vermilion"
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

/** In its place before anything can be saved, since what is beside it would move. */
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
