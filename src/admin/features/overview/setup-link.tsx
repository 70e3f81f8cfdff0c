import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { setupGuideCall } from '#contract/operator/setup-guide.ts'
import { overviewCopy as copy } from './overview.copy.ts'

/** Beside the title of the overview, for those who can do it, until all is done. */
export function SetupLink() {
  const isShown = useMay()('settings.money')
  const { data: steps } = useQuery({ ...read(setupGuideCall), enabled: isShown })
  const done = steps?.filter(({ is_done }) => is_done).length ?? 0
  if (steps === undefined || done === steps.length) return null
  return <Link to="/setup-guide">{copy.setup(done, steps.length)}</Link>
}
