import type { Closures, MaintenanceSection } from '#contract/maintenance.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { useSettings } from '#web/parts/settings/settings.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'

/** What operators have closed, and until when. */
export function MaintenanceStrip() {
  const closures = JSON.parse(useSettings()['maintenance'] ?? '{}') as Closures
  const closed = Object.entries(closures) as [MaintenanceSection, NonNullable<Closures['all']>][]
  if (closed.length === 0) return null
  return (
    <output className="block bg-fill px-4 py-2 text-center text-balance text-on-fill">
      {closed.map(([section, { message, until }]) => (
        <span key={section} className="block">
          <strong>{copy.closed[section]}:</strong> {message}
          {until && copy.closedUntil(formatMoment(until))}
        </span>
      ))}
    </output>
  )
}
