import { type Alarm, ALARM_NAMES, type AlarmName, type Waiting } from '#contract/operator/alarms.ts'
import type { FailedWorkRow } from '#contract/operator/failed-work.ts'
import { proposalKindsOf } from '#contract/operator/proposals.ts'
import { PERMISSIONS } from '#contract/operator/roles.ts'
import { lastTrailCheck } from '#server/modules/audit/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import type { ListRows } from '#server/platform/http/list.ts'
import { setGauges } from '#server/domain/metrics.ts'
import { countAlarms, type CountedAlarm, countWaiting, type RowAlarm } from './alarms.queries.ts'
import { ALARMS, readableAlarms } from './alarms.rules.ts'
import { type FailedWorkFilter, type FailedWorkPage, selectFailedWork } from './failed-work.queries.ts'

export type AlarmsDeps = PlatformDeps & { isSecondPersonNeeded: boolean }

const isOfRows = (name: AlarmName): name is RowAlarm => name !== 'one-person'

/** What waits or is wrong now, of what these permissions let somebody read, in the order of harm. */
export async function listAlarms(
  { db, isSecondPersonNeeded }: AlarmsDeps,
  { permissions }: Pick<Identity, 'permissions'>,
): Promise<Alarm[]> {
  const names = readableAlarms(permissions)
  const counted = await countAlarms(db, {
    names: names.filter(isOfRows),
    proposalKinds: proposalKindsOf(permissions),
  })
  const place = counted.some(({ name }) => name === 'audit-chain-broken')
    ? (await lastTrailCheck(db)).place
    : null
  const found = new Map<AlarmName, Alarm>(counted.map((row) => [row.name, { ...toAlarm(row), place: null }]))
  const broken = found.get('audit-chain-broken')
  if (broken) found.set('audit-chain-broken', { ...broken, place })
  if (!isSecondPersonNeeded) found.set('one-person', ALONE)
  return names.flatMap((name) => found.get(name) ?? [])
}

const ALONE: Alarm = {
  name: 'one-person',
  count: 1,
  late: 1,
  oldest: null,
  amount: null,
  runbook: ALARMS['one-person'].runbook,
  place: null,
}

function toAlarm({ name, count, late, oldest, amount }: CountedAlarm): Omit<Alarm, 'place'> {
  const { runbook, unit } = ALARMS[name]
  return {
    name,
    count,
    late,
    oldest: oldest?.toISOString() ?? null,
    amount: unit === undefined || amount === null ? null : { value: parseCoins(amount), unit },
    runbook,
  }
}

export async function listFailedWork(
  db: Db,
  filter: FailedWorkFilter,
  page: FailedWorkPage,
): Promise<ListRows<FailedWorkRow>> {
  const { total, rows } = await selectFailedWork(db, filter, page)
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      failing_since: row.failing_since.toISOString(),
      retry_at: row.retry_at.toISOString(),
    })),
  }
}

/** Those that ring: of which something waits for longer than it should. */
const ringing = (alarms: readonly Alarm[]): Alarm[] => alarms.filter(({ late }) => late > 0)

/** How much waits of each kind that somebody with these permissions may read, by one statement. */
export async function readWaiting(db: Db, { permissions }: Pick<Identity, 'permissions'>): Promise<Waiting> {
  const names = readableAlarms(permissions).filter(isOfRows)
  const counted = await countWaiting(db, { names, proposalKinds: proposalKindsOf(permissions) })
  return Object.fromEntries(
    names.map((name) => {
      const { count = 0, newest = null } = counted.find((row) => row.name === name) ?? {}
      return [name, { count, newest }]
    }),
  )
}

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
