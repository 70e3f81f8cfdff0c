import { afterEach, describe, expect, vi } from 'vitest'
import { BAN_FOREVER } from '#contract/users.ts'
import { askWhetherAccountsAreKept, startGameAccountJobs } from '#server/modules/game-accounts/index.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { activatePlayer, type TestPlayer } from '#tests/support/players.ts'
import { erasePerson } from './index.ts'

type Update = Parameters<NonNullable<GameBridge['putAccount']>>[0]

/** What the game has stored, while it answers. */
const sent: Update[] = []
const putAccount = vi.fn<NonNullable<GameBridge['putAccount']>>()
const isAccountKnown = vi.fn<NonNullable<GameBridge['isAccountKnown']>>()
const game = {
  putAccount,
  isAccountKnown,
  listCharacters: async () => [],
  deliver: async () => ({ kind: 'not-received' as const, cause: 'a test' }),
  deliveryStatus: async () => 'unknown' as const,
  cancel: async () => 'cancelled' as const,
  charge: async () => ({ kind: 'not-received' as const, cause: 'a test' }),
  refundCharge: async () => 'not-supported',
  rankings: async () => [],
} satisfies GameBridge

function answer(): void {
  isAccountKnown.mockImplementation(async () => false)
  putAccount.mockImplementation(async (update) => {
    sent.push(update)
    return 'stored'
  })
}
answer()

const portal = useTestApp({ overrides: { game } })
const test = testWith(portal)

afterEach(answer)

const ask = () => askWhetherAccountsAreKept(portal.deps)
const erase = ({ username }: TestPlayer) => erasePerson(portal.deps, { username, withBalance: true })
const waiting = async ({ id }: TestPlayer) =>
  portal.db
    .selectFrom('account_change')
    .select('erased_account as name')
    .where('user_id', '=', id)
    .executeTakeFirst()

async function whileSending(expectation: () => Promise<void>): Promise<void> {
  const jobs = startGameAccountJobs(portal.deps)
  try {
    await vi.waitFor(expectation, { timeout: 8_000 })
  } finally {
    await Promise.all(jobs.map((job) => job.stop()))
  }
}

describe('an erased player', () => {
  test('is closed in the game, which is told until it has answered; then nothing is left of the name', async ({
    player,
  }) => {
    await ask()
    await activatePlayer(portal, player)
    putAccount.mockRejectedValue(new Error('away'))
    await erase(player)
    const account = player.username.toLowerCase()
    await whileSending(async () => expect(putAccount).toHaveBeenCalled())
    expect(await waiting(player)).toEqual({ name: account })
    answer()
    await whileSending(async () => expect(await waiting(player)).toBeUndefined())
    expect(sent.filter((update) => update.account === account).at(-1)).toEqual({
      account,
      version: expect.any(Number),
      isActivated: false,
      bannedUntil: new Date(BAN_FOREVER),
      passwordChangedAt: expect.any(Date),
    })
  })

  test('is no matter of a game that never was, or that keeps no accounts', async ({ player }) => {
    await portal.db
      .updateTable('game_accounts')
      .set({ asked_at: null, are_kept: null, kept_at: null })
      .execute()
    await activatePlayer(portal, player)
    await erase(player)
    expect(await waiting(player)).toBeUndefined()
  })

  test('is not kept for a game that has said for a week that it keeps no accounts', async ({ player }) => {
    await ask()
    isAccountKnown.mockImplementation(async () => null)
    await ask()
    await erase(player)
    expect(await waiting(player)).toEqual({ name: player.username.toLowerCase() })
    await whileSending(async () => expect(isAccountKnown).toHaveBeenCalled())
    expect(await waiting(player)).toBeDefined()
    const weekAgo = new Date(Date.now() - 8 * 86_400_000)
    await portal.db.updateTable('game_accounts').set({ kept_at: weekAgo }).execute()
    await whileSending(async () => expect(await waiting(player)).toBeUndefined())
  })
})
