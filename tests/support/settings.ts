import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import { upsertSetting } from '#server/modules/settings/settings.queries.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { Portal } from './players.ts'
import type { TestAnswer, TestApp } from './app.ts'
import type { TestOperator } from './operators.ts'

type Change = { token: string; values: Record<string, string>; reason?: string | undefined; key?: string }

/** Sets a value past the console. */
export async function setSetting({ db }: { db: Db }, key: string, value: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await upsertSetting(tx, key, value)
    await contentChanges(tx, 'settings')
  })
}

/** One setting as an operator reads it. */
export async function readSetting(
  portal: Pick<Portal, 'call'>,
  token: string,
  key: string,
): Promise<OperatorSetting> {
  const filter = encodeURIComponent(JSON.stringify({ id: key }))
  const { body } = await portal.call('GET', `/api/operator/settings?filter=${filter}`, { token })
  const [setting] = body as OperatorSetting[]
  invariant(setting, `there is a setting ${key}: ${JSON.stringify(body)}`)
  return setting
}

/** Changes settings as somebody who has just read them. */
export async function changeSettings(
  portal: Pick<Portal, 'call'>,
  { token, values, reason = 'Kiểm tra', key }: Change,
): Promise<TestAnswer> {
  const range = encodeURIComponent('[0,99]')
  const { body } = await portal.call('GET', `/api/operator/settings?range=${range}`, { token })
  const current = Array.isArray(body)
    ? (body as OperatorSetting[]).flatMap(({ id, updated_at }) => (id in values ? (updated_at ?? []) : []))
    : []
  return portal.call('PUT', '/api/operator/settings', {
    token,
    body: { values, updated_at: current.toSorted().at(-1) ?? null, reason },
    key,
  }) as Promise<TestAnswer>
}

export const PLANNED_PATH = '/api/operator/planned-prices'

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** Plans twice the usual bonus, from in an hour until in two. */
export const planPrice = (portal: TestApp, { token }: TestOperator, body: object = {}): Promise<TestAnswer> =>
  portal.call('POST', PLANNED_PATH, {
    token,
    body: {
      setting: 'exchange_bonus',
      value: '20',
      reason: 'Khuyến mãi cuối tuần',
      starts_at: inHours(1),
      ends_at: inHours(2),
      ...body,
    },
  })

export const listPlans = (
  portal: TestApp,
  { token }: TestOperator,
  filter: object = {},
): Promise<TestAnswer> =>
  portal.call('GET', `${PLANNED_PATH}?filter=${encodeURIComponent(JSON.stringify(filter))}`, { token })

/** Sets settings for one piece of work, and takes them back to those of a new installation. */
export async function withSettings(
  portal: TestApp,
  values: Record<string, number>,
  work: () => Promise<unknown>,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    await setSetting(portal, key, String(value))
  }
  try {
    await work()
  } finally {
    // The portal's role may not delete settings; an operator would set the old value again.
    for (const key of Object.keys(values)) {
      await setSetting(portal, key, settingDefinitions[key as SettingKey].initial)
    }
  }
}
