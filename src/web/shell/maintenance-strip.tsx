import { useSettings } from '#web/parts/settings/settings.ts'

/** What operators have closed, why, and until when: sentences of the server. */
export function MaintenanceStrip() {
  const notices = JSON.parse(useSettings()['maintenance'] ?? '[]') as string[]
  if (notices.length === 0) return null
  return (
    <output className="block bg-fill px-4 py-2 text-center text-balance text-on-fill">
      {notices.map((notice) => (
        <span key={notice} className="block">
          {notice}
        </span>
      ))}
    </output>
  )
}
