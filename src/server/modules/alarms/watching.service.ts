import { ALARM_NAMES, type Alarm } from '#contract/operator/alarms.ts'
import { PERMISSIONS } from '#contract/operator/roles.ts'
import { setGauges } from '#server/platform/metrics/metrics.ts'
import { listAlarms, type AlarmsDeps } from './alarms.service.ts'

/** What is the matter now, of everything, as the console lists it; also kept for the metrics. */
export async function watchAlarms(deps: AlarmsDeps): Promise<Alarm[]> {
  const alarms = await listAlarms(deps, { permissions: PERMISSIONS })
  const now = deps.clock.now().getTime()
  const of = (name: string) => alarms.find((alarm) => alarm.name === name)
  setGauges(
    'portal_alarm',
    ALARM_NAMES.map((name) => ({ labels: { name }, value: of(name)?.count ?? 0 })),
  )
  setGauges(
    'portal_alarm_age_seconds',
    ALARM_NAMES.map((name) => ({ labels: { name }, value: ageSeconds(of(name), now) })),
  )
  return alarms
}

function ageSeconds(alarm: Alarm | undefined, now: number): number {
  const oldest = alarm?.oldest ?? null
  return oldest === null ? 0 : Math.max(0, (now - Date.parse(oldest)) / 1_000)
}
