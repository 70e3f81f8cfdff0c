import { sql } from 'kysely'
import pg from 'pg'
import {
  claimDue,
  sendClaimed,
  type DeliveriesDeps,
  type PausePoint,
} from '#server/modules/purchases/worker.service.ts'
import type { TestApp } from './app.ts'
import { aPlayer, type TestPlayer } from './players.ts'
import { buyLuongFor, charactersOf } from './purchases.ts'

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

/** Does as the owner of the database what the portal itself may not. */
export async function asOwner(test: TestApp, text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: test.ownerUrl })
  await client.connect()
  await client.query(text, values)
  await client.end()
}
