import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import type { TestApp } from '#tests/support/app.ts'
import type { TestPlayer } from '#tests/support/players.ts'
import { setSetting } from '#tests/support/settings.ts'

export const send = (portal: TestApp, from: TestPlayer, body: Record<string, unknown>, key?: string) =>
  portal.call('POST', '/api/user/transfer', {
    token: from.token,
    body,
    ...(key === undefined ? {} : { key }),
  })

export const activate = (portal: TestApp, player: TestPlayer, key?: string) =>
  portal.call('POST', '/api/user/active', { token: player.token, ...(key === undefined ? {} : { key }) })

/** The current user, as the player's own pages see them. */
async function userOf(portal: TestApp, { token }: TestPlayer) {
  const answer = await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })
  return answer.body as { balance: number; activated: boolean }
}

export async function balances(portal: TestApp, ...players: TestPlayer[]): Promise<number[]> {
  return (await Promise.all(players.map((player) => userOf(portal, player)))).map((user) => user.balance)
}

export async function isActivated(portal: TestApp, player: TestPlayer): Promise<boolean> {
  return (await userOf(portal, player)).activated
}

export async function ban(portal: TestApp, player: TestPlayer, reason: string | null = null): Promise<void> {
  await portal.db
    .updateTable('users')
    .set({ ban_until: new Date(Date.now() + 3_600_000), ban_reason: reason })
    .where('id', '=', player.id)
    .execute()
}

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

/** Fails unless every reconciliation finds nothing; for the end of a test. */
export async function mustReconcile(portal: TestApp): Promise<void> {
  const broken = (await reconcile(portal.db)).filter((row) => row.count > 0)
  if (broken.length > 0) throw new Error(`the ledger no longer reconciles: ${JSON.stringify(broken)}`)
}
