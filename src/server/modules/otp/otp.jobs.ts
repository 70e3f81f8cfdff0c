import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import { removeOldCodes } from './codes.service.ts'
import type { OtpDeps } from './otp-deps.ts'
import { logRatio, removeOldMessages } from './sms.service.ts'

const HOUR_MS = 3_600_000

/** The hourly figure, and what is past its time. */
export function startOtpJobs(deps: OtpDeps): Loop[] {
  const loop = (name: string, round: () => Promise<boolean>) =>
    startLoop({ name, pauseMs: HOUR_MS, log: deps.log, round })
  return [
    loop('codes by SMS, figures', async () => {
      await logRatio(deps)
      return false
    }),
    loop('old messages', () => removeOldMessages(deps)),
    loop('old codes', () => removeOldCodes(deps.db)),
  ]
}
