import { sql } from 'kysely'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestAnswer, TestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { charactersOf } from '#tests/support/purchases.ts'

/** An activated player with coins and their first character. */
export async function aBuyer(
  app: TestApp,
  coins: number,
): Promise<{ player: TestPlayer; character: string }> {
  const player = await aPlayer(app, { coins, isActivated: true })
  const [character] = await charactersOf(app, player)
  invariant(character, 'a test player has characters')
  return { player, character }
}

export type Purchase = {
  player: TestPlayer
  character?: unknown
  id?: unknown
  key?: string
  token?: string
  expectedPrice?: unknown
}

export function takeGift(
  app: TestApp,
  { player, character, id = 9_999, key, token, expectedPrice }: Purchase,
): Promise<TestAnswer> {
  return app.call('POST', '/api/user/buy-package', {
    token: token ?? player.token,
    body: { character_id: character, package_id: id, expected_price: expectedPrice },
    ...(key === undefined ? {} : { key }),
  })
}

/** Status and code of each answer that is a refusal. */
export const codesOf = (answers: TestAnswer[]) =>
  answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`)

export const deliveryOf = (answer: TestAnswer): string => answer.body.delivery.id

/** The gift a player holds, as their pages know it. */
export async function giftOf(app: TestApp, player: TestPlayer): Promise<number | null> {
  const { body } = await app.call('POST', '/api/auth/verify', { body: { access_token: player.token } })
  return body.first_gift
}

/** What a character of the embedded world holds. */
export async function holdingsOf({ db }: TestApp, character: string) {
  const { luong, yen } = await db
    .selectFrom('game.characters')
    .select(['luong', 'yen'])
    .where('id', '=', character)
    .executeTakeFirstOrThrow()
  const items = await db
    .selectFrom('game.items')
    .select(['code', 'quantity'])
    .select(sql<number | null>`round(extract(epoch FROM expires_at - now()) / 86400)::int`.as('days'))
    .where('character_id', '=', character)
    .orderBy('line')
    .execute()
  return { luong: Number(luong), yen: Number(yen), items }
}
