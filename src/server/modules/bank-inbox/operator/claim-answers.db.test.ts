import { beforeAll, describe, expect } from 'vitest'
import type { OperatorClaimDetail } from '#contract/operator/recharge.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators } from '#tests/support/fixtures.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { listOpenClaims } from './claim-answers.queries.ts'
import { settleClaim } from './claim-answers.service.ts'

const portal = useTestApp()
const test = testWith(portal)
const { cashier } = useOperators(portal, { cashier: 'cashier' })
beforeAll(async () => {
  await openAccounts(portal)
})

const PATH = '/api/operator/recharge-claims'

const REJECTED = { outcome: 'rejected', message: 'Chưa thấy khoản này.', reason: 'Không có trong sao kê' }
const SETTLED = { outcome: 'settled', message: 'Đã cộng vào ví của bạn.', reason: 'Khớp mã giao dịch' }

const answer = (claimId: string, body: object) =>
  portal.call('POST', `${PATH}/${claimId}/answer`, { token: cashier.token, body })

const get = async (claimId: string) =>
  (await portal.call('GET', `${PATH}/${claimId}`, { token: cashier.token })).body as OperatorClaimDetail

const claimOf = async ({ token }: TestPlayer) =>
  (await portal.call('GET', '/api/recharge/claims', { token })).body.data[0]

const trailOf = (id: string) => trailRows(portal, { subject: { type: 'recharge_claim', id } })

/** A transfer of a player that was credited; its reference is the bank's. */
async function aCreditedTransfer(amount: number) {
  const { player, order } = await payment(portal, amount)
  const notification = aNotification({ content: order.memo, transferAmount: amount })
  await deliver(portal, notification)
  const { id } = await portal.db
    .selectFrom('bank_transaction')
    .select('id')
    .where('bank_ref', '=', notification.referenceCode)
    .where('state', '=', 'credited')
    .executeTakeFirstOrThrow()
  return { player, transferId: id, reference: notification.referenceCode ?? '', code: order.code }
}

/** An amount nothing else in these tests has. */
let lastAmount = 100_000
const anAmount = () => (lastAmount += 1_000)

describe('an operator', () => {
  test('sees claims by state and player, the named ones only', async ({ player }) => {
    const ids = [await aClaim(portal, player), await aClaim(portal, player)]
    await answer(ids[0] as string, REJECTED)
    const list = async (filter: object, range = [0, 24]) => {
      const query = `?filter=${encodeURIComponent(JSON.stringify(filter))}&range=${JSON.stringify(range)}&sort=["id","DESC"]`
      const { body, headers } = await portal.call('GET', PATH + query, { token: cashier.token })
      const named = (body as { id: string }[]).map(({ id }) => id)
      return { named, range: headers['content-range'] }
    }
    expect(await list({ user_id: player.id })).toEqual({
      named: [ids[1], ids[0]],
      range: 'recharge-claims 0-1/2',
    })
    expect((await list({ user_id: player.id, status: 'open' })).named).toEqual([ids[1]])
    expect((await list({ id: ids, status: ['settled', 'rejected'] })).named).toEqual([ids[0]])
    expect((await list({ user_id: player.id }, [1, 1])).named).toEqual([ids[0]])
    for (const filter of ['{"status":"x"}', '{"user_id":"x"}', '{"user_id":[1,2]}', '{"amount":1}']) {
      const path = `${PATH}?filter=${encodeURIComponent(filter)}`
      expect((await portal.call('GET', path, { token: cashier.token })).status).toBe(422)
    }
    const tooFar = await portal.call('GET', `${PATH}?range=[9999,10000]`, { token: cashier.token })
    expect(tooFar.body).toMatchObject({ errors: { range: [expect.stringContaining('10,000 dòng')] } })
  })

  test('is shown the transfers it may be about: same reference first, then same amount near that time', async () => {
    const amount = anAmount()
    const near = await aCreditedTransfer(amount)
    const far = await aCreditedTransfer(amount)
    await asOwner(
      portal,
      `UPDATE bank_transaction SET booked_at = now() - interval '50 hours' WHERE id = $1`,
      [far.transferId],
    )
    const other = await aCreditedTransfer(anAmount())
    const player = await aPlayer(portal)
    const bank_reference = ` ${other.reference.toLowerCase().replace('ft', 'ft ')} `
    const id = await aClaim(portal, player, { fields: { amount: String(amount), bank_reference } })
    const { candidates, username } = await get(id)
    expect(username).toBe(player.username)
    expect(candidates).toEqual([
      expect.objectContaining({ id: other.transferId, is_same_reference: true, is_same_amount: false }),
      expect.objectContaining({
        id: near.transferId,
        is_same_reference: false,
        is_same_amount: true,
        state: 'credited',
        user_id: near.player.id,
        order_code: near.code,
      }),
    ])
  })

  test('is shown ten of them at most', async () => {
    const amount = anAmount()
    await asOwner(
      portal,
      `INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, booked_at, state)
         SELECT 'X', 'in', 'NHIEU' || n, $1, now() - n * interval '1 hour', 'review' FROM generate_series(1, 30) n`,
      [amount],
    )
    const id = await aClaim(portal, await aPlayer(portal), { fields: { amount: String(amount) } })
    const { candidates } = await get(id)
    expect(candidates.map(({ bank_reference }) => bank_reference)).toEqual(
      Array.from({ length: 10 }, (_, index) => `NHIEU${index + 1}`),
    )
  })

  test('answers, and the player reads it, on the site and in a mail', async () => {
    const { player, transferId } = await aCreditedTransfer(anAmount())
    const email = anEmail()
    await giveVerifiedEmail(portal, player.id, email)
    const id = await aClaim(portal, player)
    const balance = async () =>
      (await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })).body.balance
    const before = await balance()
    const answered = await answer(id, { ...SETTLED, bank_transaction_id: transferId })
    expect(answered.status).toBe(200)
    expect(answered.body).toMatchObject({ id, status: 'settled', bank_transaction_id: transferId })
    expect(await claimOf(player)).toMatchObject({
      status: 'settled',
      message: SETTLED.message,
      answered_at: expect.any(String),
    })
    expect(await balance()).toBe(before)
    const [mail, ...more] = await lettersTo(portal, email)
    expect(more).toEqual([])
    expect(mail?.paragraphs.join(' ')).toContain(SETTLED.message)
    expect(mail?.action?.url).toMatch(/\/recharge\/claim$/)
    expect(await trailOf(id)).toMatchObject([
      {
        action: 'recharge-claims.answer',
        reason: SETTLED.reason,
        actor_id: cashier.id,
        details: expect.objectContaining({
          before: 'open',
          after: 'settled',
          bank_transaction_id: transferId,
        }),
      },
    ])
  })

  test('writes to nobody whose address is not proved', async ({ player }) => {
    const email = anEmail()
    await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
    expect((await answer(await aClaim(portal, player), REJECTED)).status).toBe(200)
    expect(await lettersTo(portal, email)).toEqual([])
  })

  test('who answers again the same changes nothing; another answer is refused', async ({ player }) => {
    const id = await aClaim(portal, player)
    const answers = await Promise.all([answer(id, REJECTED), answer(id, REJECTED), answer(id, REJECTED)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await trailOf(id)).toHaveLength(1)
    for (const other of [SETTLED, { ...REJECTED, message: 'Khác' }]) {
      const refused = await answer(id, other)
      expect(refused.status).toBe(409)
      expect(refused.body.code).toBe('CONFLICT')
    }
    expect(await claimOf(player)).toMatchObject({ status: 'rejected', message: REJECTED.message })
  })

  test('ties a claim only to a transfer that was credited to its player, and to one that answers no other', async () => {
    const { player, transferId } = await aCreditedTransfer(anAmount())
    const someoneElses = await aCreditedTransfer(anAmount())
    await deliver(portal, aNotification({ content: 'khong ma', referenceCode: 'FTREVIEW1' }))
    const { id: inReview } = await portal.db
      .selectFrom('bank_transaction')
      .select('id')
      .where('bank_ref', '=', 'FTREVIEW1')
      .executeTakeFirstOrThrow()
    const first = await aClaim(portal, player)
    const second = await aClaim(portal, player)
    for (const wrong of [someoneElses.transferId, inReview, '999999999']) {
      const refused = await answer(first, { ...SETTLED, bank_transaction_id: wrong })
      expect(refused.status).toBe(422)
      expect(Object.keys(refused.body.errors)).toEqual(['bank_transaction_id'])
    }
    expect((await answer(first, { ...REJECTED, bank_transaction_id: transferId })).status).toBe(422)
    const answers = await Promise.all(
      [first, second].map((id) => answer(id, { ...SETTLED, bank_transaction_id: transferId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test.each([
    ['outcome', { ...REJECTED, outcome: 'open' }],
    ['message', { ...REJECTED, message: ' ' }],
    ['message', { ...REJECTED, message: 'a'.repeat(1_001) }],
    ['reason', { ...REJECTED, reason: 'ab' }],
    ['reason', { outcome: 'rejected', message: 'a' }],
  ])('is refused with the %s that is wrong', async (field, body) => {
    const refused = await answer('1', body)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual([field])
  })

  test('finds nothing where nothing is', async () => {
    expect((await answer('999999999', REJECTED)).status).toBe(404)
    expect((await portal.call('GET', `${PATH}/999999999`, { token: cashier.token })).status).toBe(404)
  })
})

describe('beside a transfer', () => {
  test('open claims of its amount are found, the newest first and no more than requested', async ({
    player,
  }) => {
    const amount = anAmount()
    const fields = { amount: String(amount) }
    const first = await aClaim(portal, await aPlayer(portal), { fields })
    const second = await aClaim(portal, await aPlayer(portal), { fields })
    await aClaim(portal, player)
    await answer(await aClaim(portal, player, { fields }), REJECTED)
    expect(await listOpenClaims(portal.db, amount, 10)).toEqual([
      expect.objectContaining({ id: second, amount, has_picture: false, paid_at: expect.any(String) }),
      expect.objectContaining({ id: first, amount }),
    ])
    expect(await listOpenClaims(portal.db, amount, 1)).toHaveLength(1)
  })

  test('a claim is settled within the act that credits it, or not at all', async () => {
    const { player, transferId } = await aCreditedTransfer(anAmount())
    const claimId = await aClaim(portal, player)
    const settlement = {
      claimId,
      bankTransactionId: transferId,
      message: SETTLED.message,
      operatorId: cashier.id,
    }
    const undone = inTransaction(portal.db, async (tx) => {
      await settleClaim(portal.deps, tx, settlement)
      throw new Refusal('CONFLICT')
    })
    await expect(undone).rejects.toThrow(Refusal)
    expect(await claimOf(player)).toMatchObject({ status: 'open' })
    await inTransaction(portal.db, (tx) => settleClaim(portal.deps, tx, settlement))
    expect(await claimOf(player)).toMatchObject({ status: 'settled', message: SETTLED.message })
  })
})
