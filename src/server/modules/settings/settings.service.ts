import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { selectSettings } from './settings.queries.ts'
import {
  describeSetting,
  isSettingKey,
  publicSettings,
  settingText,
  settingValues,
  type OperatorSetting,
  type SettingValues,
} from './settings.rules.ts'

export type { SettingValues } from './settings.rules.ts'

/** The settings as values. Inside a transaction pass `tx`, and copy the values used into the written row. */
export async function readSettings(db: Db | Tx): Promise<SettingValues> {
  return settingValues(await selectSettings(db))
}

export async function readPublicSettings(db: Db): Promise<Record<string, string>> {
  return publicSettings(await selectSettings(db))
}

export async function listOperatorSettings(db: Db): Promise<OperatorSetting[]> {
  const stored = await selectSettings(db)
  return (Object.keys(settingDefinitions) as SettingKey[]).map((key) =>
    describeSetting(key, settingText(stored, key)),
  )
}

export async function getOperatorSetting(db: Db, key: string): Promise<OperatorSetting> {
  if (!isSettingKey(key)) throw notFound()
  return describeSetting(key, settingText(await selectSettings(db), key))
}
