import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { AS_IF_LARGE, mostRowsRead, openPlanner } from '#tests/support/plans.ts'
import { aPlayer, balances, send } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { once } from './idempotency.ts'
import { sharedLimit } from '../limits/limits.ts'
import { BATCH_ROWS } from '../jobs/loop.ts'
import { inTransaction } from '../db/transaction.ts'
import { eraseAnswersNaming, eraseOldAnswers } from './stored-responses.ts'

const portal = useTestApp()

const keyOf = (key: string) =>
  portal.db
    .selectFrom('idempotency_key')
    .select(['response', 'answer_erased', 'result_id'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()

const age = (key: string, days: number) =>
  portal.db
    .updateTable('idempotency_key')
    .set({ created_at: sql`now() - make_interval(days => ${days})` })
    .where('key', '=', key)
    .execute()

describe('the answer stored under a key', () => {
  test('is erased after 30 days, and a repeat is refused and moves nothing', async () => {
    const payer = await aPlayer(portal, { coins: 1_000, isActivated: true })
    const payee = await aPlayer(portal)
    const request = (key: string, amount = 10) => send(portal, payer, { payee: payee.username, amount }, key)
    for (const key of ['cu', 'moi']) expect((await request(key)).status).toBe(200)
    await age('cu', 31)
    await age('moi', 29)
    const { result_id } = await keyOf('cu')
    expect(await eraseOldAnswers(portal.deps)).toBe(true)
    expect(await keyOf('cu')).toEqual({ response: { erased: true }, answer_erased: true, result_id })
    expect(await keyOf('moi')).toMatchObject({ response: { balance: 980 }, answer_erased: false })

    const repeated = await request('cu')
    expect([repeated.status, repeated.body.code]).toEqual([422, 'KEY_REUSED'])
    expect(repeated.body.message).toMatch(/đã được thực hiện trước đây .* xem lại lịch sử/)
    expect((await request('cu', 11)).body.message).toMatch(/dùng cho một thao tác khác/)
    expect((await request('moi')).status).toBe(200)
    expect(await balances(portal, payer, payee)).toEqual([980, 20])
    await expectReconciled(portal)
  })

  test('that is missing stays missing: R11 has to find it', async () => {
    await sql`INSERT INTO idempotency_key (scope, key, request_hash, created_at)
              VALUES ('user:0:transfer', 'hong', '', now() - interval '40 days')`.execute(portal.db)
    await eraseOldAnswers(portal.deps)
    expect(await keyOf('hong')).toMatchObject({ response: null, answer_erased: false })
    await expect(expectReconciled(portal)).rejects.toThrow()
    await portal.db
      .updateTable('idempotency_key')
      .set({ response: '{}', result_type: 'test', result_id: '1' })
      .where('key', '=', 'hong')
      .execute()
  })
})

test('what is above a limit is not done, though its key’s answer is repeated', async () => {
  const limit = sharedLimit('tests-above', 1, 60)
  const pace = { limits: portal.deps.limits, limit, of: 'someone', overLimit: null }
  let done = 0
  const request = (key: string) => {
    const work = async () => ({ answer: ++done, resultType: 'test', resultId: key })
    return once(portal.db, { scope: 'user:0:test', key, body: {} }, work, pace)
  }
  expect(await request('trong-han')).toBe(1)
  await expect(request('qua-han')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await request('trong-han')).toBe(1)
  expect(done).toBe(1)
  const overLimit = new Refusal('RATE_LIMITED')
  const other = { ...pace, of: 'another', overLimit }
  await expect(once(portal.db, null, () => Promise.reject(new Error('it was done')), other)).rejects.toBe(
    overLimit,
  )
})

test('a round erases a bounded number of answers and reads no others', async () => {
  const planner = await openPlanner(portal)
  try {
    await planner.owner.query(
      `INSERT INTO idempotency_key (scope, key, request_hash, result_type, result_id, response, created_at, answer_erased)
       SELECT 'user:0:transfer', 'loat-' || n, '', 'test', n::text, '{}', now() - (n - 0.5) * interval '1 minute', n > 50000
         FROM generate_series(1, 60000) n;
       ANALYZE idempotency_key`,
    )
    await planner.owner.query(AS_IF_LARGE)
    const { queries, nodes } = await planner.plansOf(() =>
      eraseOldAnswers({ db: planner.db, log: portal.deps.log }),
    )
    // One lists them, the other erases them.
    expect(queries).toBe(2)
    expect(mostRowsRead(nodes)).toBe(BATCH_ROWS)
    // Who is erased is looked for in bounded parts, in what is left of answers and nowhere else.
    const swept = await planner.plansOf(() =>
      inTransaction(planner.db, (tx) => eraseAnswersNaming(tx, { userId: '-1', names: ['nobody'] })),
    )
    expect(swept.queries).toBe(1 + Math.ceil((50_000 - BATCH_ROWS) / 5_000))
    // Sorting by three columns of which one is in the index reads a row or two ahead.
    expect(mostRowsRead(swept.nodes)).toBeLessThan(5_010)
    while (await eraseOldAnswers(portal.deps)) continue
    const { left } = await portal.db
      .selectFrom('idempotency_key')
      .select(portal.db.fn.countAll<string>().as('left'))
      .where(sql<boolean>`NOT answer_erased AND key LIKE 'loat-%'`)
      .executeTakeFirstOrThrow()
    expect(left).toBe(String(30 * 24 * 60))
  } finally {
    await planner.close()
  }
})
