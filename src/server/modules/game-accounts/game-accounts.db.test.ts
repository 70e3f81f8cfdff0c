import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, vi } from 'vitest'
import { setNewPasswordHash } from '#server/modules/accounts/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { activatePlayer, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { askWhetherAccountsAreKept, findAccountsSentUntil, startGameAccountJobs } from './index.ts'

type Update = Parameters<NonNullable<GameBridge['putAccount']>>[0]

/** A game that stores what it is told, unless a test wants something else of it. */
const sent: Update[] = []
const game = {
  putAccount: vi.fn<NonNullable<GameBridge['putAccount']>>(),
  isAccountKnown: vi.fn<NonNullable<GameBridge['isAccountKnown']>>(),
  listCharacters: async () => [],
  deliver: async () => ({ kind: 'not-received' as const, cause: 'a test' }),
  deliveryStatus: async () => 'unknown' as const,
  cancel: async () => 'cancelled' as const,
  charge: async () => ({ kind: 'not-received' as const, cause: 'a test' }),
  refundCharge: async () => 'not-supported',
  rankings: async () => [],
} satisfies GameBridge

function behave(): void {
  game.putAccount.mockImplementation(async (update) => {
    sent.push(update)
    return 'stored'
  })
  game.isAccountKnown.mockImplementation(async () => false)
}
behave()

const portal = useTestApp({ overrides: { game } })
const test = testWith(portal)

afterEach(async () => {
  behave()
  await askWhetherAccountsAreKept(portal.deps)
})

/** The jobs, one round of them at least, until the expectation holds. */
async function whileSending(expectation: () => void): Promise<void> {
  const jobs = startGameAccountJobs(portal.deps)
  try {
    await vi.waitFor(expectation, { timeout: 8_000 })
  } finally {
    await Promise.all(jobs.map((job) => job.stop()))
  }
}

async function logIn({ username, password }: TestPlayer): Promise<string> {
  const answer = await portal.call('POST', '/api/auth/login', { body: { username, password } })
  return (answer.body as { access_token: string }).access_token
}

async function changePassword({ token, password }: TestPlayer): Promise<void> {
  const body = { current_password: password, password: 'mat-khau-moi-9' }
  expect((await portal.call('POST', '/api/user/change-password', { token, body })).status).toBe(200)
}

const sentFor = (username: string) => sent.filter(({ account }) => account === username.toLowerCase())

describe('what the game is told about an account', () => {
  test('is nothing of a new one, and its state after an activation, a ban, its lifting and a new password', async ({
    player,
    owner,
  }) => {
    await whileSending(() => {})
    expect(sentFor(player.username)).toEqual([])
    const act = (name: string, body: object) =>
      portal.call('POST', `/api/operator/users/${player.id}/${name}`, {
        token: owner.token,
        key: randomUUID(),
        body: { scope: 'sign-in', reason: 'thử nghiệm', ...body },
      })
    const until = new Date(Date.now() + 3_600_000)
    const steps: [step: () => Promise<unknown>, state: Partial<Update>][] = [
      [
        () => activatePlayer(portal, player),
        { isActivated: true, bannedUntil: null, passwordChangedAt: null },
      ],
      [() => act('ban', { until: until.toISOString() }), { bannedUntil: until }],
      [() => act('lift-ban', {}), { bannedUntil: null, passwordChangedAt: null }],
      [
        // The ban ended the session.
        async () => changePassword({ ...player, token: await logIn(player) }),
        { isActivated: true, bannedUntil: null, passwordChangedAt: expect.any(Date) as Date },
      ],
    ]
    for (const [at, [step, state]] of steps.entries()) {
      await step()
      await whileSending(() => expect(sentFor(player.username)).toHaveLength(at + 1))
      expect(sentFor(player.username)[at]).toMatchObject({ account: player.username.toLowerCase(), ...state })
    }
    const { passwordChangedAt } = sentFor(player.username).at(-1) as Update
    await inTransaction(portal.db, (tx) => setNewPasswordHash(tx, { userId: player.id, hash: 'a reset' }))
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(steps.length + 1))
    expect(sentFor(player.username).at(-1)?.passwordChangedAt?.getTime()).toBeGreaterThan(
      passwordChangedAt?.getTime() ?? Infinity,
    )
    const versions = sentFor(player.username).map(({ version }) => version)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
    expect(versions[0]).toBeGreaterThan(Date.now() - 60_000)
  })

  test('has a later version also where a clock that was a day ahead gave the last one', async ({
    player,
  }) => {
    const ahead = Date.now() + 87_000_000
    await sql`SELECT setval('account_version', ${ahead}::bigint)`.execute(portal.db)
    await activatePlayer(portal, player)
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(1))
    await changePassword(player)
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(2))
    expect(sentFor(player.username).map(({ version }) => version)).toEqual([ahead + 1, ahead + 2])
    await sql`SELECT setval('account_version', 1)`.execute(portal.db)
  })

  test('is told again from the moment on that a game was set back to', async ({ player, owner }) => {
    const earlier = await aPlayer(portal)
    await activatePlayer(portal, earlier)
    await whileSending(() => expect(sentFor(earlier.username)).toHaveLength(1))
    const since = new Date().toISOString()
    await activatePlayer(portal, player)
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(1))
    const started = await portal.call('POST', '/api/operator/game-comparison', {
      token: owner.token,
      key: randomUUID(),
      body: { since, reason: 'Game được đưa về bản cũ' },
    })
    expect(started.status, JSON.stringify(started.body)).toBe(200)
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(2))
    const [first, again] = sentFor(player.username)
    expect(again).toEqual(first)
    expect(sentFor(earlier.username)).toHaveLength(1)
  })

  test('is not a ban of trading, which is the portal’s own', async ({ player, owner }) => {
    const body = { scope: 'trading', reason: 'thử nghiệm', until: null }
    const path = `/api/operator/users/${player.id}/ban`
    const banned = await portal.call('POST', path, { token: owner.token, key: randomUUID(), body })
    expect(banned.status).toBe(200)
    await whileSending(() => {})
    expect(sentFor(player.username)).toEqual([])
  })

  test('comes again until the game has answered, and what changed meanwhile comes after it', async ({
    player,
  }) => {
    game.putAccount.mockRejectedValueOnce(new Error('away'))
    const before = await findAccountsSentUntil(portal.db)
    await activatePlayer(portal, player)
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(1))
    game.putAccount.mockImplementationOnce(async (update) => {
      // The account is changed while this one is under way.
      await changePassword(player)
      sent.push(update)
      return 'stored'
    })
    await portal.db
      .updateTable('account_change')
      .set({ next_attempt_at: new Date() })
      .where('user_id', '=', player.id)
      .execute()
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(3))
    expect(sentFor(player.username).map(({ passwordChangedAt }) => passwordChangedAt === null)).toEqual([
      true,
      true,
      false,
    ])
    expect((await findAccountsSentUntil(portal.db)).getTime()).toBeGreaterThan(before.getTime())
  })

  test('waits while the game keeps no accounts, until it is asked again', async ({ player }) => {
    game.putAccount.mockImplementation(async () => 'not-kept')
    game.isAccountKnown.mockImplementation(async () => null)
    await activatePlayer(portal, player)
    await whileSending(() => expect(game.putAccount).toHaveBeenCalled())
    game.putAccount.mockClear()
    await whileSending(() => {})
    expect(game.putAccount).not.toHaveBeenCalled()
    expect(await askWhetherAccountsAreKept(portal.deps)).toEqual({ areKept: false })
    behave()
    expect(await askWhetherAccountsAreKept(portal.deps)).toEqual({ areKept: true })
    await whileSending(() => expect(sentFor(player.username)).toHaveLength(1))
  })
})

describe('a name that a player of the game has', () => {
  const register = (username: string) =>
    portal.call('POST', '/api/auth/register', {
      body: {
        username,
        password: 'mat-khau-12',
        phone: `09${String(Math.random()).slice(2, 10)}`,
        name: username,
      },
    })

  test('cannot be registered in any spelling', async () => {
    game.isAccountKnown.mockImplementation(async (account) => account === 'kiemkhach7')
    for (const username of ['kiemkhach7', 'KiemKhach7']) {
      const answer = await register(username)
      expect([answer.status, answer.body.code]).toEqual([422, 'USERNAME_TAKEN'])
    }
    expect((await register('kiemkhach8')).status).toBe(201)
  })

  test('is not given away while the game that keeps accounts does not answer', async () => {
    game.isAccountKnown.mockRejectedValueOnce(new Error('away'))
    const answer = await register('kiemkhach9')
    expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE'])
    expect(answer.body.message).toContain('Máy chủ game')
  })

  test('is nothing to a game that keeps no accounts', async () => {
    game.isAccountKnown.mockImplementation(async () => null)
    expect((await aPlayer(portal)).id).not.toBe('')
  })
})
