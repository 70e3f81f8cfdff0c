import { randomUUID } from 'node:crypto'
import { failedWork, poison } from '#tests/support/poisoned-row.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invariant } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { runningBatch, type TestBatch } from '#tests/support/gift-codes.ts'
import { brokenChecks, expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer, anAddress, manyPlayers, type TestPlayer } from '#tests/support/players.ts'
import { charactersOf, luongOf, workOnce } from '#tests/support/purchases.ts'
import { releaseOver } from './batches.service.ts'

const portal = useTestApp()
// Whoever makes budgets and batches.
beforeAll(() => aPlayer(portal))
beforeEach(() => asOwner(portal, 'DELETE FROM rate_limit'))
afterEach(() => expectReconciled(portal))

const redeem = (
  { token }: Pick<TestPlayer, 'token'>,
  body: { code?: string | undefined; character_id?: string | null },
  more: { from?: string; headers?: Record<string, string> } = {},
) => portal.call('POST', '/api/gift-codes/redeem', { token, body, from: anAddress(), ...more })

const activated = () => aPlayer(portal, { isActivated: true })

const batchNow = async ({ id }: TestBatch) => {
  const query = portal.db.selectFrom('gift_code_batch').select(['uses', 'held']).where('id', '=', id)
  const { uses, held } = await query.executeTakeFirstOrThrow()
  return { uses, held: Number(held) }
}

const budgetNow = async ({ budgetId }: TestBatch) => {
  const query = portal.db
    .selectFrom('budget')
    .innerJoin('ledger_account as account', 'account.id', 'budget.account_id')
    .select('account.balance')
    .where('budget.id', '=', budgetId)
  return Number((await query.executeTakeFirstOrThrow()).balance)
}

describe('a code of TCoin', () => {
  test('gives them out of what is held for its batch, and says so in the statement', async () => {
    const batch = await runningBatch(portal, { coins: 500, usesPerCode: 3 })
    const player = await activated()
    const [code = ''] = batch.codes
    const answer = await redeem(player, { code: ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} ` })
    expect(answer).toMatchObject({
      status: 200,
      body: { report: true, granted: { coins: 500, goods: [] }, balance: 500, balance_version: 3 },
    })
    expect(answer.body).not.toHaveProperty('delivery')
    expect(await batchNow(batch)).toEqual({ uses: 1, held: 1_000 })
    const { body } = await portal.call('GET', '/api/user/transactions?filter_type=gift_code', player)
    expect(body.data).toMatchObject([{ type: 'gift_code', amount: 500, description: `Mã quà: Tết ${code}` }])
  })

  test('is given once to a player, also for another code of the batch, and to others until it is used up', async () => {
    const { codes } = await runningBatch(portal, { codes: 2 })
    const [first, second] = [await activated(), await activated()]
    expect((await redeem(first, { code: codes[0] })).status).toBe(200)
    expect((await redeem(first, { code: codes[1] })).body).toMatchObject({
      code: 'CODE_USED',
      message: 'Bạn đã nhận quà của đợt mã này rồi',
    })
    expect((await redeem(second, { code: codes[0] })).body.code).toBe('CODE_USED')
    expect((await redeem(second, { code: codes[1] })).status).toBe(200)
  })

  test('is given as often to a player as its batch allows', async () => {
    const { codes } = await runningBatch(portal, { perPlayer: 2 })
    const player = await activated()
    const answers = []
    for (let time = 0; time < 3; time++) answers.push(await redeem(player, { code: codes[0] }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422])
  })

  test('is given once for an idempotency key', async () => {
    const { codes } = await runningBatch(portal, { perPlayer: 2 })
    const player = await activated()
    const once = { headers: { 'idempotency-key': randomUUID() } }
    const first = await redeem(player, { code: codes[0] }, once)
    expect(await redeem(player, { code: codes[0] }, once)).toMatchObject({ status: 200, body: first.body })
    expect(first.body.balance).toBe(500)
  })

  test('gives exactly its ten uses to 64 players at once', async () => {
    const batch = await runningBatch(portal, { usesPerCode: 10 })
    const tokens = await manyPlayers(portal, 64)
    // A machine that is busy lets some come again; nothing was changed then.
    const insist = async (token: string) => {
      let answer = await redeem({ token }, { code: batch.codes[0] })
      while (answer.status === 503) answer = await redeem({ token }, { code: batch.codes[0] })
      return answer
    }
    const answers = await Promise.all(tokens.map(insist))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ body }) => body.code === 'CODE_USED')).toHaveLength(54)
    expect(await batchNow(batch)).toEqual({ uses: 10, held: 0 })
  })

  test('gives one of two codes of its batch to a player who types both at once, 16 times', async () => {
    const { codes } = await runningBatch(portal, { codes: 16 })
    const player = await activated()
    const answers = await Promise.all(codes.map((code) => redeem(player, { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a code of goods', () => {
  const goods = [{ kind: 'luong', quantity: 300 }]

  test('needs one of the player’s own characters, which gets them', async () => {
    const { codes } = await runningBatch(portal, { coins: null, goods })
    const [player, other] = [await activated(), await activated()]
    const [own = ''] = await charactersOf(portal, player)
    const [foreign = ''] = await charactersOf(portal, other)
    const without = await redeem(player, { code: codes[0] })
    expect(without).toMatchObject({ status: 422, body: { errors: { character_id: expect.any(Array) } } })
    expect((await redeem(player, { code: codes[0], character_id: foreign })).body.code).toBe(
      'CHARACTER_NOT_FOUND',
    )
    const before = await luongOf(portal.db, own)
    const answer = await redeem(player, { code: codes[0], character_id: own })
    expect(answer).toMatchObject({
      status: 200,
      body: { granted: { coins: 0, goods }, balance: 0, delivery: { status: 'pending' } },
    })
    await workOnce(portal.deps)
    expect(await luongOf(portal.db, own)).toBe(before + 300)
  })

  test('that the game refused may be redeemed again, also when it is used up and over, and once', async () => {
    const batch = await runningBatch(portal, { coins: null, goods, usesPerCode: 1 })
    const player = await activated()
    const [own = ''] = await charactersOf(portal, player)
    const body = { code: batch.codes[0], character_id: own }
    const { delivery } = (await redeem(player, body)).body
    expect((await redeem(player, body)).body.code).toBe('CODE_USED')
    await asOwner(portal, `UPDATE delivery SET character_id = 'gone' WHERE id = $1`, [delivery.id])
    await workOnce(portal.deps)
    await asOwner(portal, `UPDATE gift_code_batch SET ends_at = now() WHERE id = $1`, [batch.id])
    const answers = await Promise.all(Array.from({ length: 4 }, () => redeem(player, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
    expect((await redeem(await activated(), body)).status).toBe(422)
    expect(await batchNow(batch)).toEqual({ uses: 1, held: 0 })
    await workOnce(portal.deps)
  })
})

describe('a code is refused', () => {
  test('when there is none', async () => {
    for (const code of ['ABCD-EFGH-JKMN', 'ngắn'])
      expect(await redeem(await activated(), { code })).toMatchObject({
        status: 422,
        body: { code: 'CODE_INVALID' },
      })
  })

  test.for([
    [{ endsIn: -1, startsIn: -60 }, 'CODE_ENDED'],
    [{ startsIn: 60 }, 'CODE_INVALID'],
    [{ serverId: '2' }, 'CODE_INVALID'],
  ] as const)('of a batch with %o, by %s', async ([terms, code]) => {
    const batch = await runningBatch(portal, terms)
    expect((await redeem(await activated(), { code: batch.codes[0] })).body).toMatchObject({ code })
    expect((await batchNow(batch)).uses).toBe(0)
  })

  test('for who may not trade: it would be worth new accounts', async () => {
    const { codes } = await runningBatch(portal)
    expect((await redeem(await aPlayer(portal), { code: codes[0] })).body.code).toBe('NOT_ACTIVATED')
    const banned = await activated()
    await asOwner(
      portal,
      `UPDATE users SET ban_until = now() + interval '1 day', ban_reason = '-' WHERE id = $1`,
      [banned.id],
    )
    expect((await redeem(banned, { code: codes[0] })).body.code).toBe('BANNED')
  })
})

describe('guessing', () => {
  test('ends after 30 calls of an account, whatever its addresses', async () => {
    const player = await activated()
    const answers = []
    for (let call = 0; call < 31; call++) answers.push(await redeem(player, { code: 'ABCD-EFGH-JKMN' }))
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 422), 429])
  })

  test('ends after 60 wrong codes of an address, whatever the accounts; right ones do not count', async () => {
    const players = [await activated(), await activated(), await activated()]
    const same = { from: anAddress() }
    const { codes } = await runningBatch(portal)
    const first = players[0]
    invariant(first, 'there are three')
    expect((await redeem(first, { code: codes[0] }, same)).status).toBe(200)
    const wrong = Array.from({ length: 60 }, (_, call) =>
      redeem(players[call % 3] as TestPlayer, { code: 'ABCD-EFGH-JKMN' }, same),
    )
    expect((await Promise.all(wrong)).every(({ body }) => body.code === 'CODE_INVALID')).toBe(true)
    expect((await redeem(await activated(), { code: codes[0] }, same)).status).toBe(429)
    expect((await redeem(await activated(), { code: codes[0] })).status).toBe(200)
  })
})

test('what nobody used by the end goes back to the budget, once', async () => {
  const batch = await runningBatch(portal, { usesPerCode: 4, coins: 500 })
  expect((await redeem(await activated(), { code: batch.codes[0] })).status).toBe(200)
  while (await releaseOver(portal.deps));
  expect((await batchNow(batch)).held).toBe(1_500)
  await asOwner(portal, `UPDATE gift_code_batch SET ends_at = now() WHERE id = $1`, [batch.id])
  await Promise.all([releaseOver(portal.deps), releaseOver(portal.deps)])
  expect(await batchNow(batch)).toEqual({ uses: 1, held: 0 })
  expect(await budgetNow(batch)).toBe(1_500)
  expect((await redeem(await activated(), { code: batch.codes[0] })).body.code).toBe('CODE_ENDED')
})

describe('the reconciliation finds', () => {
  /** What is found after a change, which is put back. */
  async function foundAfter(change: string, back: string, id: string): Promise<string[]> {
    await asOwner(portal, change, [id])
    const found = await brokenChecks(portal)
    await asOwner(portal, back, [id])
    return found
  }
  const R15 = expect.stringMatching(/^R15:/)

  test('counts that are not those of the uses, and a use that gave nothing', async () => {
    const batch = await runningBatch(portal)
    await redeem(await activated(), { code: batch.codes[0] })
    const counted = await foundAfter(
      'UPDATE gift_code SET uses = uses + 1 WHERE batch_id = $1',
      'UPDATE gift_code SET uses = uses - 1 WHERE batch_id = $1',
      batch.id,
    )
    expect(counted).toEqual([R15])
    const unpaid = await foundAfter(
      `WITH code AS (UPDATE gift_code SET uses = uses + 1 WHERE batch_id = $1),
            use AS (INSERT INTO gift_code_use (batch_id, code_id, user_id, number, per_player)
              SELECT $1, c.id, (SELECT max(id) FROM users WHERE wallet_account_id IS NOT NULL) - 1, 1, 1
                FROM gift_code c WHERE batch_id = $1)
       UPDATE gift_code_batch SET uses = uses + 1, held = 0 WHERE id = $1`,
      `WITH code AS (UPDATE gift_code SET uses = uses - 1 WHERE batch_id = $1),
            use AS (DELETE FROM gift_code_use WHERE id = (SELECT max(id) FROM gift_code_use))
       UPDATE gift_code_batch SET uses = uses - 1, held = 499500 WHERE id = $1`,
      batch.id,
    )
    expect(unpaid).toContainEqual(R15)
  })
})

test('a batch whose release fails leaves the others, and is released once it can be', async () => {
  const batches = [await runningBatch(portal, { coins: 500 }), await runningBatch(portal, { coins: 500 })]
  const [poisoned, other] = batches as [(typeof batches)[number], (typeof batches)[number]]
  for (const { id } of batches)
    await asOwner(portal, `UPDATE gift_code_batch SET ends_at = now() WHERE id = $1`, [id])
  const { cure } = await poison(portal, { table: 'gift_code_batch', id: poisoned.id })
  while (await releaseOver(portal.deps));
  expect((await batchNow(other)).held).toBe(0)
  expect((await batchNow(poisoned)).held).toBeGreaterThan(0)
  expect(await failedWork(portal)).toMatchObject([{ job: 'gift-codes', subject: poisoned.id }])
  await cure()
  while (await releaseOver(portal.deps));
  expect((await batchNow(poisoned)).held).toBe(0)
  expect(await failedWork(portal)).toEqual([])
})
