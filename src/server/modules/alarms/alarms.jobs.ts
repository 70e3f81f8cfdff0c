import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { noticeAlarms, sendMessages, type AlarmWebhook, type TellingDeps } from './telling.service.ts'
import { watchAlarms } from './alarms.service.ts'

const LOOK_MS = 60_000
const SEND_MS = 2_000
/** Less than the pause between two looks: of several workers the first tells for all. */
const TELL_EVERY_SECONDS = 45

/** Looks at the alarms for those who do not sit at the console. */
export function startAlarmJobs(deps: TellingDeps & { alarmWebhook: AlarmWebhook | null }): Loop[] {
  const { alarmWebhook, log } = deps
  const look = async () => {
    const alarms = await watchAlarms(deps)
    if (alarmWebhook !== null) await noticeAlarms(deps, alarms, { everySeconds: TELL_EVERY_SECONDS })
  }
  const looking = { name: 'alarms', pauseMs: LOOK_MS, round: look }
  if (alarmWebhook === null) return startLoops(log, [looking])
  const round = () => sendMessages(deps, alarmWebhook)
  return startLoops(log, [looking, { name: 'messages of alarms', pauseMs: SEND_MS, round }])
}
