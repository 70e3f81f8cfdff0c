import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { removeOldCodes } from './codes.service.ts'
import type { OtpDeps } from './otp-deps.ts'
import { logRatio, removeOldMessages } from './sms.service.ts'

const HOUR_MS = 3_600_000

/** The hourly figure, and what is past its time. */
export function startOtpJobs(deps: OtpDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'codes by SMS, figures', pauseMs: HOUR_MS, round: () => logRatio(deps) },
    { name: 'old messages', pauseMs: HOUR_MS, round: () => removeOldMessages(deps) },
    { name: 'old codes', pauseMs: HOUR_MS, round: () => removeOldCodes(deps.db) },
  ])
}
