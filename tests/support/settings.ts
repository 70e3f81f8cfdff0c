import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import { upsertSetting } from '#server/modules/settings/settings.queries.ts'
import { contentChanges } from '#server/platform/content/content-versions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { Portal } from './players.ts'
import type { TestAnswer } from './app.ts'

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
  const seen = Array.isArray(body)
    ? (body as OperatorSetting[]).flatMap(({ id, updated_at }) => (id in values ? (updated_at ?? []) : []))
    : []
  return portal.call('PUT', '/api/operator/settings', {
    token,
    body: { values, updated_at: seen.toSorted().at(-1) ?? null, reason },
    ...(key === undefined ? {} : { key }),
  }) as Promise<TestAnswer>
}
