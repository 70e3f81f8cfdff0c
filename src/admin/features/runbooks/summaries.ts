import type { RunbookSummary } from '#scripts/runbooks.ts'
import { ALARM_RUNBOOKS } from './runbooks.copy.ts'

const files = import.meta.glob<RunbookSummary>('/docs/runbooks/vi/*.md', {
  eager: true,
  import: 'default',
  query: '?summary',
})

/** What each page for operators is called, and the alarms that it is about. */
export const summaries = ALARM_RUNBOOKS.flatMap((name) => {
  const summary = files[`/docs/runbooks/vi/${name}.md`]
  return summary === undefined ? [] : [{ name, ...summary }]
})
