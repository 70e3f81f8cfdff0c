import { vietnamDayOf } from '#contract/format.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getGroupEntries } from '#contract/ranking.ts'
import type { listServers } from '#contract/settings.ts'
import { Button, fieldBox } from '#ui/button.tsx'
import { useNow } from '#web/parts/time/use-now.ts'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'

export type Server = AnswerOf<typeof listServers>[number]

type ChipProps = {
  servers: readonly Server[]
  chosen: Server | undefined
  onChoose: (id: string | undefined) => void
}

export function ServerChips({ servers, chosen, onChoose }: ChipProps) {
  const chip = (id: string | undefined, label: string) => (
    <button
      key={label}
      type="button"
      aria-pressed={chosen?.id === id}
      onClick={() => onChoose(id)}
      className="min-h-11 shrink-0 rounded-full border border-line-strong px-4 text-sm font-bold hover:bg-sunken aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:text-vermilion aria-pressed:snap-center aria-pressed:[scroll-initial-target:nearest]"
    >
      {label}
    </button>
  )
  return (
    <div
      role="group"
      aria-label={copy.servers}
      className="-mx-4 -mt-2 mb-2 flex gap-2 overflow-x-auto px-4 py-1 md:flex-wrap"
    >
      {chip(undefined, copy.allServers)}
      {servers.map(({ id, name }) => chip(id, name))}
    </div>
  )
}

type PartProps = {
  classes: AnswerOf<typeof getGroupEntries>['classes']
  classId: string | undefined
  day: string | undefined
  firstDay: string | null
  onClass: (id: string | undefined) => void
  onDay: (day: string | undefined) => void
}

/** Which class, and which day: a day before today, as far as rankings are stored. */
export function ClassAndDay({ classes, classId, day, firstDay, onClass, onDay }: PartProps) {
  const yesterday = vietnamDayOf(useNow(false) - DAY_MS)
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      {classes.length > 1 && (
        <select
          aria-label={copy.class}
          className={box}
          value={classId ?? ''}
          onChange={({ target }) => onClass(target.value || undefined)}
        >
          <option value="">{copy.allClasses}</option>
          {classes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {(firstDay !== null || day !== undefined) && (
        <input
          aria-label={copy.day}
          type="date"
          className={box}
          min={firstDay ?? yesterday}
          max={yesterday}
          value={day ?? ''}
          onChange={({ target }) => {
            // A day that is being typed is not whole yet.
            if (target.value === '' || target.validity.valid) onDay(target.value || undefined)
          }}
        />
      )}
      {day !== undefined && (
        <Button kind="plain" onClick={() => onDay(undefined)}>
          {copy.today}
        </Button>
      )}
    </div>
  )
}

const DAY_MS = 86_400_000
const box = `${fieldBox.replace('w-full', 'w-38')} border-line-strong`
