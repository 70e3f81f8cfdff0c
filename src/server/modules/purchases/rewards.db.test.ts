import { afterEach, expect, test } from 'vitest'
import { knownCharacter } from '#server/modules/game-bridge/index.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { brokenChecks, expectReconciled } from '#tests/support/ledger.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { charactersOf, luongOf, rowOf, workOnce } from '#tests/support/purchases.ts'
import { giveReward } from './rewards.service.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

const GOODS = [{ kind: 'luong', quantity: 500 }] as const

async function aWinner() {
  const player = await aPlayer(portal)
  const [character = ''] = await charactersOf(portal, player)
  return { player, character }
}

const give = (player: TestPlayer, character: string, givenFor = 'test:1:1') =>
  inTransaction(portal.db, async (tx) => {
    const trader = await lockTrader(tx, player.id, { character: knownCharacter(player.id, character) })
    invariant(trader.character, 'the character is known')
    return giveReward(tx, {
      player: trader,
      character: trader.character,
      goods: GOODS,
      givenFor,
      count: () => Promise.resolve(),
    })
  })

/** What a player sees of their only delivery. */
const seen = async ({ token }: TestPlayer, id: string) =>
  (await portal.call('GET', `/api/user/deliveries/${id}`, { token })).body

test('a reward is delivered for no TCoin, and stands among what the player got', async () => {
  const { player, character } = await aWinner()
  const before = await luongOf(portal.db, character)
  const id = await give(player, character)
  invariant(id, 'it is given')
  await workOnce(portal.deps)
  expect(await seen(player, id)).toMatchObject({
    kind: 'reward',
    status: 'delivered',
    amount: 0,
    replaces: null,
    refund_reason: null,
  })
  expect(await luongOf(portal.db, character)).toBe(before + 500)
})

test('of 64 at the same moment one is given, without the lock of the wallet', async () => {
  const { player, character } = await aWinner()
  const characters = portal.db.selectFrom('game_character').selectAll().where('id', '=', character)
  const known = await characters.executeTakeFirstOrThrow()
  const given = await Promise.all(
    Array.from({ length: 64 }, () =>
      inTransaction(portal.db, (tx) =>
        giveReward(tx, {
          player,
          character: { id: known.id, name: known.name, serverId: known.server_id },
          goods: GOODS,
          givenFor: 'test:2026-11-27',
          count: () => Promise.resolve(),
        }),
      ),
    ),
  )
  expect(given.filter((id) => id !== null)).toHaveLength(1)
})

test('what is given for something else, or to somebody else, is another reward', async () => {
  const { player, character } = await aWinner()
  expect(await give(player, character)).not.toBeNull()
  expect(await give(player, character)).toBeNull()
  expect(await give(player, character, 'test:1:2')).not.toBeNull()
  const other = await aWinner()
  expect(await give(other.player, other.character)).not.toBeNull()
})

test('a reward that the game refused gives nothing, refunds nothing, and may be had again', async () => {
  const { player, character } = await aWinner()
  const first = await give(player, character)
  invariant(first, 'it is given')
  await asOwner(portal, `UPDATE delivery SET character_id = 'gone' WHERE id = $1`, [first])
  await workOnce(portal.deps)
  expect(await seen(player, first)).toMatchObject({ status: 'refunded', amount: 0, refund_reason: null })
  const second = await give(player, character)
  expect(second).not.toBeNull()
  expect(await give(player, character)).toBeNull()
  await workOnce(portal.deps)
  expect((await rowOf(portal, second ?? '')).state).toBe('delivered')
})

test('an operator cancels one that is parked', async () => {
  const { player, character } = await aWinner()
  const id = await give(player, character)
  invariant(id, 'it is given')
  await asOwner(portal, `UPDATE delivery SET state = 'parked' WHERE id = $1`, [id])
  const { token } = await anOperator(portal, 'owner')
  const refunded = await portal.call('POST', `/api/operator/deliveries/${id}/refund`, {
    token,
    body: { reason: 'Người chơi không muốn nhận' },
  })
  expect(refunded.body).toMatchObject({ state: 'refunded', kind: 'reward', amount: 0 })
  expect(await give(player, character)).not.toBeNull()
})

test('the reconciliation finds a reward whose delivery and row disagree', async () => {
  const { player, character } = await aWinner()
  const id = await give(player, character)
  await asOwner(portal, 'UPDATE reward SET voided_at = now() WHERE delivery_id = $1', [id])
  expect(await brokenChecks(portal)).toEqual([expect.stringMatching(/^R10:/)])
  await asOwner(portal, 'DELETE FROM reward WHERE delivery_id = $1', [id])
  expect(await brokenChecks(portal)).toEqual([expect.stringMatching(/^R10:/)])
  await asOwner(portal, `INSERT INTO reward (delivery_id, user_id, given_for) VALUES ($1, $2, 'test:1:1')`, [
    id,
    player.id,
  ])
})
