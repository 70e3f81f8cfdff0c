import { StillOpen } from '#web/parts/page-states/still-open.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'

/** What operators have closed, why, and until when: a line of the server's for each. */
export function MaintenanceStrip() {
  const notices = useSettings()['maintenance']
  if (!notices) return null
  return (
    <output className="block bg-fill px-4 py-2 text-center text-balance whitespace-pre-line text-on-fill">
      {notices}
      <StillOpen />
    </output>
  )
}
