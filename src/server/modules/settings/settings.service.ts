import type { RawBuilder } from 'kysely'
import * as z from 'zod/mini'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { OperatorSetting, operatorSettings } from '#contract/operator/setting-calls.ts'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { listTrailOf } from '#server/modules/audit/index.ts'
import { cachedContent } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound, Refusal } from '#server/platform/values/errors.ts'
import { insertSettings, selectSettings, settingTexts } from './settings.queries.ts'
import {
  describeSetting,
  isSettingKey,
  publicSettings,
  settingValues,
  type SettingValues,
  type Stored,
} from './settings.rules.ts'

export type { SettingValues } from './settings.rules.ts'

const storedSettings = cachedContent('settings', selectSettings)

/** Caches what is computed from the stored texts, for as long as they are the same object. */
function onceFor<Made>(make: (stored: Stored) => Made): (stored: Stored) => Made {
  const cache = new WeakMap<Stored, Made>()
  return (stored) => {
    const known = cache.get(stored)
    if (known !== undefined) return known
    const made = make(stored)
    cache.set(stored, made)
    return made
  }
}

const valuesOf = onceFor(settingValues)
const publicOf = onceFor(publicSettings)

/**
 * The settings as values, from memory: a change of another process may be some seconds old. Inside a transaction pass
 * `tx`, which reads them as they are, and copy the values used into the written row.
 */
export async function readSettings(db: Db | Tx): Promise<SettingValues> {
  return valuesOf(await storedSettings(db))
}

/** All settings as one value that a statement of another module selects beside its own columns. */
export const storedTexts: RawBuilder<Record<string, string> | null> = settingTexts

/** The settings in `storedTexts`. */
export const settingsOf = (texts: Record<string, string> | null): SettingValues =>
  settingValues(new Map(Object.entries(texts ?? {}).map(([key, value]) => [key, { value }])))

/** The same object as long as no setting changes. */
export async function readPublicSettings(db: Db): Promise<Readonly<Record<string, string>>> {
  return publicOf(await storedSettings(db))
}

type Filter = NonNullable<QueryOf<typeof operatorSettings.list>['filter']>

export async function listOperatorSettings(
  db: Db,
  { id, section }: Filter,
  { order, from, to }: ListPage,
): Promise<ListRows<OperatorSetting>> {
  const stored = await selectSettings(db)
  const keys = (Object.keys(settingDefinitions) as SettingKey[])
    .filter((key) => id?.includes(key) ?? true)
    .filter((key) => section === undefined || settingDefinitions[key].section === section)
    .sort((one, other) => (one < other ? -1 : 1) * (order === 'asc' ? 1 : -1))
  const rows = keys.slice(from, to + 1).map((key) => describeSetting(key, stored))
  return { total: keys.length, rows }
}

/** What was proposed and changed of one setting, as the audit trail has it. */
export async function listHistory(
  db: Db,
  key: string,
  before: string | undefined,
): Promise<AnswerOf<typeof operatorSettings.history>> {
  if (!isSettingKey(key)) throw notFound()
  const rows = await listTrailOf(db, { type: 'setting', id: key }, before)
  return rows.map(({ id, at, actor, action, reason, details }) => ({
    id,
    at,
    actor,
    action,
    reason,
    before: String(details['before'] ?? ''),
    after: String(details['after'] ?? ''),
  }))
}

/** The values by their keys' own rules, or a refusal that names every wrong one by its key. */
export function readValues(given: Readonly<Record<string, string>>): Map<SettingKey, string> {
  const values = new Map<SettingKey, string>()
  const errors: Record<string, string[]> = {}
  for (const [key, text] of Object.entries(given)) {
    if (!isSettingKey(key)) errors[key] = ['Không có cài đặt này']
    else {
      const read = z.safeParse(settingDefinitions[key].schema, text)
      if (read.success) values.set(key, read.data)
      else errors[key] = read.error.issues.map(({ message }) => message)
    }
  }
  const first = Object.values(errors)[0]?.[0]
  if (first !== undefined) throw new Refusal('VALIDATION', { message: first, errors })
  return values
}

/** Sets what nobody has set yet: the values of a demo. */
export const insertMissingSettings = (
  tx: Tx,
  settings: readonly { key: string; value: string }[],
): Promise<void> => insertSettings(tx, settings)
