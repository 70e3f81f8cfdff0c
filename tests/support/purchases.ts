import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { invariant } from '#server/platform/values/errors.ts'
import {
  type DeliveriesDeps,
  type PausePoint,
  claimDue,
  sendClaimed,
} from '#server/modules/purchases/worker.service.ts'
import type { TestAnswer, TestApp } from './app.ts'
import { type TestPlayer, aPlayer } from './players.ts'

/** The ids of a player's characters, as the exchange page shows them. */
export async function charactersOf(
  test: Pick<TestApp, 'call'>,
  player: Pick<TestPlayer, 'token'>,
): Promise<string[]> {
  const { body } = await test.call('GET', '/api/exchange', { token: player.token })
  return (body as { characters: { id: string }[] }).characters.map(({ id }) => id)
}

type Purchase = {
  player: TestPlayer
  amount?: unknown
  character: string
  key?: string
  expectedReceive?: unknown
}

export function exchange(
  test: TestApp,
  { player, amount = 10_000, character, key, expectedReceive }: Purchase,
): Promise<TestAnswer> {
  return test.call('POST', '/api/exchange/store', {
    token: player.token,
    body: { character_id: character, amount, expected_receive: expectedReceive },
    key,
  })
}

/** Buys luong and returns the delivery's id. */
export async function buyLuongFor(test: TestApp, purchase: Purchase): Promise<string> {
  const answer = await exchange(test, purchase)
  invariant(answer.status === 200, `a test player buys luong: ${JSON.stringify(answer.body)}`)
  return (answer.body as { delivery: { id: string } }).delivery.id
}

/** What a character of the embedded game owns. */
export async function luongOf(db: Db, characterId: string): Promise<number> {
  const row = await db
    .selectFrom('game.characters')
    .select('luong')
    .where('id', '=', characterId)
    .executeTakeFirstOrThrow()
  return Number(row.luong)
}

/** Waits until `claim` holds; fails with its last error when it never does. */
export async function eventually<Result>(claim: () => Promise<Result>, withinMs = 15_000): Promise<Result> {
  const end = performance.now() + withinMs
  for (;;) {
    try {
      return await claim()
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(20)
    }
  }
}

/** The state of one delivery as the table has it. */
export async function rowOf(test: TestApp, id: string) {
  return test.db
    .selectFrom('delivery')
    .select(['state', 'attempt', 'next_attempt_at', 'last_error', 'lease_token', 'settled_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Makes what waits for its next attempt due now, or in some seconds. */
export async function makeDue(test: TestApp, inSeconds = 0): Promise<void> {
  await test.db
    .updateTable('delivery')
    .set({ next_attempt_at: sql`now() + make_interval(secs => ${inSeconds})` })
    .where('state', 'in', ['pending', 'unknown'])
    .execute()
}

/** One round of a worker: sends everything that is due now, once. Returns their number. */
export async function workOnce(deps: DeliveriesDeps): Promise<number> {
  const claimed = await claimDue(deps, 100)
  await Promise.all(claimed.map((one) => sendClaimed(deps, one)))
  return claimed.length
}

/** A worker that stops at a point for ever. Resolves when the delivery has reached it. */
export function dyingAt(deps: DeliveriesDeps, point: PausePoint) {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const { promise: never, resolve: wakeUp } = Promise.withResolvers<void>()
  const dying: DeliveriesDeps = {
    ...deps,
    deliveryLeaseSeconds: 0.2,
    async pausePoint(at) {
      if (at !== point) return
      resolve()
      await never
    },
  }
  return { deps: dying, reached, wakeUp }
}

export type Buyer = { player: TestPlayer; character: string }

/** An activated player with coins, and one purchase of 10,000 TCoin for their first character. */
export async function aBuyer(
  test: TestApp,
  coins = 10_000,
  firstCharacterOf = async (player: TestPlayer) => (await charactersOf(test, player))[0]!,
): Promise<Buyer & { id: string }> {
  const player = await aPlayer(test, { coins, isActivated: true })
  const character = await firstCharacterOf(player)
  const id = await buyLuongFor(test, { player, character })
  return { player, character, id }
}
