import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { validate } from '#server/platform/http/validate.ts'
import * as z from 'zod/mini'
import { lockSetting, notifyContentChanged, selectSettings, upsertSetting } from './settings.queries.ts'
import {
  isSettingKey,
  publicSettings,
  settingText,
  settingValues,
  type SettingValues,
} from './settings.rules.ts'

export type { SettingValues } from './settings.rules.ts'

/** The settings as values. Inside a transaction hand in `tx`; what is decided by them is copied into the row written. */
export async function readSettings(db: Db | Tx): Promise<SettingValues> {
  return settingValues(await selectSettings(db))
}

export async function readPublicSettings(db: Db): Promise<Record<string, string>> {
  return publicSettings(await selectSettings(db))
}

/** `onContentChanged` is called once a change is committed: rendered pages may show something else now. */
export type SettingsDeps = PlatformDeps & { onContentChanged(): void }

export type OperatorSetting = { id: string; value: string; label: string; is_public: boolean }

export async function listOperatorSettings(db: Db): Promise<OperatorSetting[]> {
  const stored = await selectSettings(db)
  return (Object.keys(settingDefinitions) as SettingKey[]).map((key) =>
    describe(key, settingText(stored, key)),
  )
}

export async function getOperatorSetting(db: Db, key: string): Promise<OperatorSetting> {
  if (!isSettingKey(key)) throw notFound()
  return describe(key, settingText(await selectSettings(db), key))
}

type SettingChange = { key: string; value: string; operatorId: string; requestId: string }

/** Sets one value after its key's own rule, with its row in the audit trail. */
export async function changeSetting(deps: SettingsDeps, change: SettingChange): Promise<OperatorSetting> {
  const { key, operatorId, requestId } = change
  if (!isSettingKey(key)) throw notFound()
  const { value } = validate(z.object({ value: settingDefinitions[key].schema }), { value: change.value })
  const changed = await inTransaction(deps.db, async (tx) => {
    const before = (await lockSetting(tx, key)) ?? settingDefinitions[key].initial
    await upsertSetting(tx, key, value)
    await notifyContentChanged(tx)
    await appendAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'settings.update',
      subject: { type: 'setting', id: key },
      details: { before, after: value },
      requestId,
    })
    return describe(key, value)
  })
  deps.onContentChanged()
  return changed
}

function describe(key: SettingKey, value: string): OperatorSetting {
  const { label, isPublic } = settingDefinitions[key]
  return { id: key, value, label, is_public: isPublic }
}
