import { paths, type PageAccess } from '#contract/pages.ts'
import type { SessionStatus } from '#web/session/session-store.ts'

export type Verdict = { show: true } | { wait: true } | { goTo: string }

/** Whether a page may be shown in this state of the session, and where to redirect otherwise. */
export function judgeVisit(access: PageAccess, status: SessionStatus): Verdict {
  if (access === 'open') return { show: true }
  if (status === 'unknown' || status === 'checking') return { wait: true }
  if (access === 'player') return status === 'player' ? { show: true } : { goTo: paths.login }
  return status === 'anonymous' ? { show: true } : { goTo: paths.home }
}
