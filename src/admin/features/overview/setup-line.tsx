import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { setupGuideCall } from '#contract/operator/setup-guide.ts'
import { Icon } from '#ui/icon.tsx'
import { overviewCopy as copy } from './overview.copy.ts'

/** On the overview of those who can do it, until all is done. */
export function SetupLine() {
  const isShown = useMay()('settings.money')
  const { data: steps } = useQuery({ ...read(setupGuideCall), enabled: isShown })
  const done = steps?.filter(({ is_done }) => is_done).length ?? 0
  if (steps === undefined || done === steps.length) return null
  return (
    <p className="flex items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3">
      <Icon name="calendar" />
      <Link to="/setup-guide">{copy.setup(done, steps.length)}</Link>
    </p>
  )
}
