import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import type { AlarmsDeps } from './alarms.service.ts'
import { watchAlarms } from './watching.service.ts'

const MINUTE_MS = 60_000

/** Looks at the alarms for those who do not sit at the console. */
export function startAlarmJobs(deps: AlarmsDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'alarms', pauseMs: MINUTE_MS, round: async () => void (await watchAlarms(deps)) },
  ])
}
