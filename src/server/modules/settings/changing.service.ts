import type { AnswerOf } from '#contract/endpoint.ts'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { settingDefinitions, type operatorSettings, type SettingKey } from '#contract/operator/settings.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { assertFreshProof, assertPermitted, type UserCall } from '#server/platform/http/api.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { validate } from '#server/platform/http/validate.ts'
import { once } from '#server/platform/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import * as z from 'zod/mini'
import { lockSetting, notifyContentChanged, selectSettings, upsertSetting } from './settings.queries.ts'
import { describeSetting, isSettingKey, settingText } from './settings.rules.ts'

type Change = { subject: string; before: string; after: string; reason: string }

export type SettingsDeps = PlatformDeps & {
  /** Called once a change is committed: rendered pages may show something else now. */
  onContentChanged(): void
  /** Stores a change for a second person; null when the caller may make it alone. */
  proposeChange(
    tx: Tx,
    change: Change,
    by: { operatorId: string; requestId: string },
  ): Promise<OperatorProposal | null>
}

const CHANGES_PER_OPERATOR = sharedLimit('setting-changes', 120, 60)

type Answer = AnswerOf<typeof operatorSettings.update>

/** Sets one value after its key's own rule, or keeps it for a second person, with its row in the audit trail. */
export async function changeSetting(
  deps: SettingsDeps,
  call: UserCall<typeof operatorSettings.update>,
): Promise<Answer> {
  const { identity, body, request } = call
  const key = call.params.id
  if (!isSettingKey(key)) throw notFound()
  const { section, initial } = settingDefinitions[key]
  assertPermitted(call, `settings.${section}`)
  const value = validValue(key, body.value)
  const operatorId = identity.userId
  const scope = `operator:${operatorId}:settings`
  const operation = call.key === null ? null : { scope, key: call.key, body: { key, body } }
  const pace = {
    limits: deps.limits,
    limit: CHANGES_PER_OPERATOR,
    of: operatorId,
    overLimit: call.overLimit,
  }
  const work = async (tx: Tx): Promise<Answer> => {
    const before = (await lockSetting(tx, key)) ?? initial
    if (section === 'money') {
      assertFreshProof(identity)
      const change = { subject: key, before, after: value, reason: body.reason }
      const proposal = await deps.proposeChange(tx, change, { operatorId, requestId: request.id })
      if (proposal !== null) return { proposal }
    }
    await storeSetting(tx, key, value)
    await appendAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'settings.update',
      subject: { type: 'setting', id: key },
      reason: body.reason,
      details: { before, after: value },
      requestId: request.id,
    })
    return describeSetting(key, value)
  }
  const answer = await once<Answer>(
    deps.db,
    operation,
    async (tx) => ({ answer: await work(tx), resultType: 'setting', resultId: key }),
    pace,
  )
  deps.onContentChanged()
  return answer
}

const validValue = (key: SettingKey, value: string): string =>
  validate(z.object({ value: settingDefinitions[key].schema }), { value }).value

async function storeSetting(tx: Tx, key: SettingKey, value: string): Promise<void> {
  await upsertSetting(tx, key, value)
  await notifyContentChanged(tx)
}

/** What a proposal of another value is decided by, and how it is done. */
export const settingProposals = {
  permission: 'settings.money',
  titleOf: (key: string): string => (isSettingKey(key) ? settingDefinitions[key].label : key),
  /** The current value. */
  async read(db: Db | Tx, key: string): Promise<string | null> {
    return isSettingKey(key) ? settingText(await selectSettings(db), key) : null
  },
  /** False when the value has changed since it was proposed, or its rule no longer takes the new one. */
  async apply(tx: Tx, { subject, before, after }: Omit<Change, 'reason'>): Promise<boolean> {
    if (!isSettingKey(subject)) return false
    const { schema, initial } = settingDefinitions[subject]
    const present = (await lockSetting(tx, subject)) ?? initial
    if (present !== before || !z.safeParse(schema, after).success) return false
    await storeSetting(tx, subject, after)
    return true
  },
} as const
