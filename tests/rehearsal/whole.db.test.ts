import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Adapter } from '#game-adapter/adapter.ts'
import { findAccountsSentUntil, startGameAccountJobs } from '#server/modules/game-accounts/index.ts'
import { startGameJobs } from '#server/modules/game-bridge/index.ts'
import { erasePerson } from '#server/modules/personal-data/index.ts'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { aPhone, verifiedCode } from '#tests/support/phones.ts'
import { activatePlayer, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf, eventually } from '#tests/support/purchases.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { openProxy, type Proxy } from '../harness/proxy.ts'
import { startRehearsalAdapter } from './adapter.ts'
import { openRehearsal, type Rehearsal, type RehearsalGame, SECRET } from './game.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()
/** From an act in the portal to the player in the game. */
const MS_MAX = 5_000

const portal = {} as TestApp
let rehearsal: Rehearsal
let adapter: Adapter
let game: RehearsalGame
/** Between the game and the portal. */
let toPortal: Proxy
let accountJobs: Loop[] = []
let jobs: Loop[] = []

beforeAll(async () => {
  if (missing !== null) return
  rehearsal = await openRehearsal({ hasPortalTables: false })
  adapter = await startRehearsalAdapter(rehearsal.database)
  const environment = { GAME_SERVER_URL: adapter.url, GAME_SERVER_SECRET: SECRET }
  Object.assign(portal, await startTestApp({ environment }))
  accountJobs = startGameAccountJobs(portal.deps)
  jobs = startDeliveryWorker(portal.deps)
  const portalUrl = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  toPortal = await openProxy(Number(new URL(portalUrl).port), 'any')
  game = await rehearsal.startGame({ portalUrl: toPortal.through(portalUrl) })
})
afterAll(async () => {
  if (missing !== null) return
  await game.end()
  await Promise.all([...accountJobs, ...jobs].map((job) => job.stop()))
  await toPortal.close()
  await portal.close()
  await adapter.close()
  await rehearsal.end()
})
const test = testWith(portal)

const isInGame = async ({ username }: TestPlayer) => (await game.show(username)) !== null

async function expectLogin({ username, password }: TestPlayer, result: string): Promise<void> {
  expect((await game.login(username, password)).result).toBe(result)
}

async function expectNoRow(query: string): Promise<void> {
  await eventually(async () => expect(await rehearsal.database.query(query)).toEqual([]))
}

async function expectOutsideSoon(player: TestPlayer): Promise<void> {
  await eventually(async () => expect(await isInGame(player)).toBe(false), MS_MAX)
}

/** What an operator does about a player's ban of signing in. */
async function act(owner: { token: string }, player: TestPlayer, ban: 'ban' | 'lift-ban'): Promise<void> {
  const until = ban === 'ban' ? { until: null } : {}
  const { status } = await portal.call('POST', `/api/operator/users/${player.id}/${ban}`, {
    token: owner.token,
    key: randomUUID(),
    body: { scope: 'sign-in', reason: 'thử nghiệm', ...until },
  })
  expect(status).toBe(200)
}

/** An activated player who has logged in to the game. */
async function aPlayerInGame(wishes: { phone?: string } = {}): Promise<TestPlayer> {
  const player = await aPlayer(portal, { isActivated: true, ...wishes })
  await expectLogin(player, 'OK')
  return player
}

/** One round of the job that tells the game up to when it knows every change of an account. */
async function resendAccountsUntil(): Promise<void> {
  const round = startGameJobs(portal.deps, () => findAccountsSentUntil(portal.db))
  await Promise.all(round.map((job) => job.stop()))
}

/** For the game nobody is at the portal's address until this is over. */
async function withPortalAway(work: () => Promise<void>): Promise<void> {
  toPortal.isRefusing = true
  toPortal.cut()
  try {
    await work()
  } finally {
    toPortal.restore()
  }
}

describe.skipIf(missing !== null)(
  'portal, adapter and game together (skipped without Java and MySQL)',
  () => {
    test('who registers in the portal logs in to the game within a second', async () => {
      const player = await aPlayer(portal)
      await expectLogin(player, 'NOT_ACTIVATED')
      await activatePlayer(portal, player)
      await eventually(async () => {
        const rows = await rehearsal.database.query(
          `SELECT activated FROM portal_account WHERE account = '${player.username}'`,
        )
        expect(rows).toEqual([['1']])
      }, MS_MAX)
      const { result, account, ms } = await game.login(player.username, player.password)
      expect({ result, account }).toEqual({ result: 'OK', account: player.username })
      expect(ms).toBeLessThan(4_000)
    })

    test('a ban, its end, a new password and a reset one reach a player in the game within five seconds', async ({
      owner,
    }) => {
      const phone = aPhone()
      const player = await aPlayerInGame({ phone })
      await act(owner, player, 'ban')
      await expectOutsideSoon(player)
      await expectLogin(player, 'BANNED')
      await act(owner, player, 'lift-ban')
      await expectLogin(player, 'OK')
      const password = 'mat-khau-moi-9'
      const { body } = await portal.call('POST', '/api/auth/login', {
        body: { username: player.username, password: player.password },
      })
      const token = (body as { access_token: string }).access_token
      const changed = await portal.call('POST', '/api/user/change-password', {
        token,
        body: { current_password: player.password, password },
      })
      expect(changed.status).toBe(200)
      await expectOutsideSoon(player)
      await expectLogin(player, 'WRONG')
      await expectLogin({ ...player, password }, 'OK')
      // The new password stays in the game.
      expect(await isInGame(player)).toBe(true)

      const code = await verifiedCode(portal, phone)
      const reset = await portal.call('POST', '/api/password/reset-via-phone', {
        body: { username: player.username, phone, password: 'mat-khau-khac-9', code },
      })
      expect(reset.status).toBe(200)
      await expectOutsideSoon(player)
      await expectLogin({ ...player, password }, 'WRONG')
      await expectLogin({ ...player, password: 'mat-khau-khac-9' }, 'OK')
    })

    test('with the portal away, who was there lately gets in, a stranger reads why, and a ban closes within five seconds', async ({
      owner,
    }) => {
      const player = await aPlayerInGame()
      const stranger = await aPlayer(portal, { isActivated: true })
      await resendAccountsUntil()
      await withPortalAway(async () => {
        await game.leave(player.username)
        await expectLogin(player, 'OK')
        // As a stranger, who learns nothing about the account.
        await expectLogin({ ...player, password: '%' }, 'AWAY')
        const refused = await game.login(stranger.username, stranger.password)
        expect(refused.result).toBe('AWAY')
        expect(refused.sentence).toContain('Hiện chỉ người đã đăng nhập trong 24 giờ qua vào được game.')
        await act(owner, player, 'ban')
        await expectOutsideSoon(player)
        await expectLogin(player, 'AWAY')
      })
      await eventually(() => expectLogin(stranger, 'OK'))
      await expectLogin(player, 'BANNED')
    })

    test.runIf(hasAllCases)(
      'with the portal away, a ban that the game could not be told of for five minutes lets nobody in',
      async ({ owner }) => {
        const [player, other] = [await aPlayerInGame(), await aPlayerInGame()]
        await Promise.all(accountJobs.map((job) => job.stop()))
        try {
          await act(owner, player, 'ban')
          await portal.db
            .updateTable('account_change')
            .set({ changed_at: sql<Date>`now() - interval '5 minutes'` })
            .where('user_id', '=', player.id)
            .execute()
          // What the game was told in these five minutes.
          await rehearsal.database.query("DELETE FROM portal_state WHERE name = 'accounts_until'")
          await resendAccountsUntil()
          // Until now the portal answers, so only what is open without it is in question.
          await expectLogin(other, 'OK')
          await withPortalAway(async () => {
            await expectLogin(player, 'AWAY')
            await expectLogin(other, 'AWAY')
          })
        } finally {
          accountJobs = startGameAccountJobs(portal.deps)
        }
        await expectOutsideSoon(player)
        await eventually(() => expectLogin(other, 'OK'))
      },
    )

    test('with the portal away, the old password of an erased player opens nothing, and the player is out', async () => {
      const player = await aPlayerInGame()
      await resendAccountsUntil()
      await withPortalAway(async () => {
        await expectLogin(player, 'OK')
        await erasePerson(portal.deps, { username: player.username, withBalance: true })
        await expectOutsideSoon(player)
        await expectLogin(player, 'AWAY')
        const kept = `SELECT account FROM portal_login WHERE account = '${player.username.toLowerCase()}'`
        await expectNoRow(kept)
      })
      await eventually(() => expectLogin(player, 'WRONG'))
    })

    test('luong that is bought is with the character a moment later', async () => {
      const player = await aPlayer(portal, { coins: 50_000, isActivated: true })
      expect(await charactersOf(portal, player)).toEqual([])
      await expectLogin(player, 'OK')
      // The portal looks again a few seconds after it found none.
      const character = await eventually(async () => {
        const [first] = await charactersOf(portal, player)
        expect(first).toBeDefined()
        return first as string
      })
      const id = await buyLuongFor(portal, { player, character })
      await eventually(
        async () => expect((await game.show(player.username))?.luong).toBeGreaterThan(0),
        MS_MAX,
      )
      const rows = await rehearsal.database.query(
        `SELECT COUNT(*) FROM game_journal WHERE purchase = '${id}'`,
      )
      expect(rows).toEqual([['1']])
    })
  },
)
