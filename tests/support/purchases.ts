import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { reconcile } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestAnswer, TestApp } from './app.ts'
import type { TestPlayer } from './players.ts'

/** The ids of a player's characters, as the exchange page shows them. */
export async function charactersOf(test: Pick<TestApp, 'call'>, player: TestPlayer): Promise<string[]> {
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
    ...(key === undefined ? {} : { key }),
  })
}

/** Buys luong and returns the delivery's id. */
export async function buyLuongFor(test: TestApp, purchase: Purchase): Promise<string> {
  const answer = await exchange(test, purchase)
  invariant(answer.status === 200, `a test player buys luong: ${JSON.stringify(answer.body)}`)
  return (answer.body as { delivery: { id: string } }).delivery.id
}

/** Of an account of the house all its stripes. */
export async function balanceOf(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('ledger_account as named')
    .innerJoin('ledger_account as part', 'part.kind', 'named.kind')
    .select((eb) => eb.fn.sum<string>('part.balance').as('balance'))
    .where('named.id', '=', accountId)
    .whereRef('part.user_id', 'is not distinct from', 'named.user_id')
    .executeTakeFirstOrThrow()
  return Number(row.balance)
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

/** Every reconciliation finds nothing. */
export async function expectReconciled(db: Db): Promise<void> {
  const broken = (await reconcile(db)).filter(({ count }) => count !== 0)
  expect(broken).toEqual([])
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
