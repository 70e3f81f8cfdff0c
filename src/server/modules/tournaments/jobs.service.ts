import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { removeOldEvents } from './events.queries.ts'
import { followUp } from './follow-up.service.ts'
import { type CloseDeps, closeDue } from './freeze.service.ts'
import { type ReminderDeps, remindFollowers, remindOfCheckIn } from './notices/reminders.service.ts'
import { expireHeld } from './places.service.ts'

const PAUSE_MS = 5_000
const HOUR_MS = 3_600_000
const EVENTS_KEPT_MS = 90 * 24 * HOUR_MS

export function startTournamentJobs(deps: ReminderDeps & CloseDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'tournament closes', pauseMs: PAUSE_MS, round: () => closeDue(deps) },
    { name: 'tournament follow-up', pauseMs: PAUSE_MS, round: () => followUp(deps) },
    { name: 'tournament places', pauseMs: PAUSE_MS, round: () => expireHeld(deps) },
    { name: 'tournament check-in', pauseMs: PAUSE_MS, round: () => remindOfCheckIn(deps) },
    { name: 'tournament followers', pauseMs: PAUSE_MS, round: () => remindFollowers(deps) },
    {
      name: 'old tournament events',
      pauseMs: HOUR_MS,
      round: () => removeOldEvents(deps, new Date(deps.clock.now().getTime() - EVENTS_KEPT_MS)),
    },
  ])
}
