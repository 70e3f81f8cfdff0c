import { ALARM_NAMES, type Alarm } from '#contract/operator/alarms.ts'
import { PERMISSIONS } from '#contract/operator/roles.ts'
import { setGauges } from '#server/platform/metrics/metrics.ts'
import { listAlarms, ringing, type AlarmsDeps } from './alarms.service.ts'

/** What rings now, of everything; also stored for the metrics. */
export async function watchAlarms(deps: AlarmsDeps): Promise<Alarm[]> {
  const alarms = ringing(await listAlarms(deps, { permissions: PERMISSIONS }))
  const now = deps.clock.now().getTime()
  const of = (name: string) => alarms.find((alarm) => alarm.name === name)
  setGauges(
    'portal_alarm',
    ALARM_NAMES.map((name) => ({ labels: { name }, value: of(name)?.late ?? 0 })),
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
