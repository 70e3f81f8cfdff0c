import {
  ALARM_NAMES,
  WAITING_KINDS,
  type Alarm,
  type AlarmName,
  type Waiting,
} from '#contract/operator/alarms.ts'
import { countTrailFaults } from '#server/modules/audit/index.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { claimCheck, countAlarm, findCheck, findWaiting, storeCheck } from './alarms.queries.ts'
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
  if (name === 'audit-chain-broken' || name === 'ledger-broken') {
    const { faults, checked_at } = await findCheck(db, name === 'ledger-broken' ? 'ledger' : 'audit-chain')
    return { count: Number(faults), oldest: checked_at?.toISOString() ?? null }
  }
  const { count, oldest } = await countAlarm(db, name)
  return { count: Number(count), oldest: oldest?.toISOString() ?? null }
}

/** How much waits of each kind that somebody with these permissions may read. */
export async function readWaiting(db: Db, { permissions }: Pick<Identity, 'permissions'>): Promise<Waiting> {
  const waiting: Waiting = {}
  for (const kind of WAITING_KINDS) {
    if (permissions.includes(WAITING_PERMISSIONS[kind])) waiting[kind] = await findWaiting(db, kind)
  }
  return waiting
}

/** Once a day each: reads the whole audit trail, and the ledger with everything that belongs to it. */
export async function runChecks(db: Db): Promise<void> {
  if (await claimCheck(db, 'audit-chain')) await storeCheck(db, 'audit-chain', await countTrailFaults(db))
  if (await claimCheck(db, 'ledger')) {
    const broken = (await reconcile(db)).reduce((sum, { count }) => sum + count, 0)
    await storeCheck(db, 'ledger', broken)
  }
}
