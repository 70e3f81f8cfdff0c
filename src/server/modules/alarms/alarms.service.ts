import {
  ALARM_NAMES,
  WAITING_KINDS,
  type Alarm,
  type AlarmName,
  type Waiting,
} from '#contract/operator/alarms.ts'
import { proposalKindsOf } from '#contract/operator/proposals.ts'
import { lastTrailCheck } from '#server/modules/audit/index.ts'
import { lastReconciliation } from '#server/modules/reconciliation/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { countAlarm, findWaiting } from './alarms.queries.ts'
import { ALARMS, WAITING_PERMISSIONS } from './alarms.rules.ts'

export type AlarmsDeps = PlatformDeps & { isSecondPersonNeeded: boolean }

/** What is the matter now, of what these permissions let somebody read. */
export async function listAlarms(
  deps: AlarmsDeps,
  { permissions }: Pick<Identity, 'permissions'>,
): Promise<Alarm[]> {
  const readable = ALARM_NAMES.filter((name) => permissions.includes(ALARMS[name].permission))
  const alarms = await Promise.all(
    readable.map(async (name) => ({ name, runbook: ALARMS[name].runbook, ...(await stateOf(deps, name)) })),
  )
  return alarms.filter(({ count }) => count > 0)
}

async function stateOf(
  { db, isSecondPersonNeeded }: AlarmsDeps,
  name: AlarmName,
): Promise<Pick<Alarm, 'count' | 'oldest'>> {
  if (name === 'one-person') return { count: isSecondPersonNeeded ? 0 : 1, oldest: null }
  if (name === 'audit-chain-broken') {
    const { faults, checkedAt } = await lastTrailCheck(db)
    return { count: faults, oldest: checkedAt }
  }
  if (name === 'ledger-broken') {
    const last = await lastReconciliation(db)
    return { count: last?.found ?? 0, oldest: last?.finishedAt ?? null }
  }
  const { count, oldest } = await countAlarm(db, name)
  return { count: Number(count), oldest: oldest?.toISOString() ?? null }
}

/** How much waits of each kind that somebody with these permissions may read. */
export async function readWaiting(db: Db, { permissions }: Pick<Identity, 'permissions'>): Promise<Waiting> {
  const waiting: Waiting = {}
  for (const kind of WAITING_KINDS) {
    if (WAITING_PERMISSIONS[kind].some((one) => permissions.includes(one))) {
      waiting[kind] = await findWaiting(db, kind, proposalKindsOf(permissions))
    }
  }
  return waiting
}
