import { beforeAll, describe, expect } from 'vitest'
import type { OperatorClaimDetail } from '#contract/operator/recharge.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators } from '#tests/support/fixtures.ts'
import { onCase, sendMessage } from '#tests/support/cases.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { aClaim, sendClaim } from '#tests/support/uploads.ts'
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
    expect(mail?.action?.url).toMatch(/\/user\/help\/\d+$/)
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

describe('a claim and its case are one', () => {
  const onCaseOf = async (player: TestPlayer, path: string, body: object = {}) => {
    const { case_id } = await claimOf(player)
    const answer = await onCase(portal, cashier, `${case_id}${path}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  }
  const stateOf = async (player: TestPlayer) => {
    const own = await claimOf(player)
    const { status } = await get(own.id)
    const shown = await portal.call('GET', `/api/cases/${own.case_id}`, { token: player.token })
    expect(status).toBe(own.status)
    return [status, shown.body.state, own.message]
  }
  const writes = async (player: TestPlayer) =>
    expect((await sendMessage(portal, player, { id: (await claimOf(player)).case_id })).status).toBe(201)

  test('closing the case rejects the claim, and opening it again lets the claim wait', async ({ player }) => {
    const amount = anAmount()
    const id = await aClaim(portal, player, { fields: { amount: String(amount) } })
    expect(await stateOf(player)).toEqual(['open', 'open', null])
    await onCaseOf(player, '/close')
    expect(await stateOf(player)).toEqual(['rejected', 'closed', null])
    expect(await listOpenClaims(portal.db, [amount], 10)).toEqual([])
    expect((await answer(id, SETTLED)).status).toBe(409)
    await onCaseOf(player, '/reopen')
    expect(await stateOf(player)).toEqual(['open', 'open', null])
    expect(await listOpenClaims(portal.db, [amount], 10)).toMatchObject([{ id }])
  })

  test('an answer in the case answers the claim, and what the player writes lets it wait again', async ({
    player,
  }) => {
    const id = await aClaim(portal, player)
    await onCaseOf(player, '/messages', { text: 'Bạn gửi biên lai giúp mình' })
    expect(await stateOf(player)).toEqual(['answered', 'answered', 'Bạn gửi biên lai giúp mình'])
    await writes(player)
    expect((await stateOf(player)).slice(0, 2)).toEqual(['open', 'open'])
    expect((await answer(id, REJECTED)).status).toBe(200)
    expect(await stateOf(player)).toEqual(['rejected', 'answered', REJECTED.message])
  })

  test('a player who is not content with a decision writes on, and is answered anew', async ({ player }) => {
    const id = await aClaim(portal, player)
    await answer(id, REJECTED)
    await writes(player)
    expect((await stateOf(player)).slice(0, 2)).toEqual(['open', 'open'])
    expect((await answer(id, SETTLED)).status).toBe(200)
    expect(await stateOf(player)).toEqual(['settled', 'answered', SETTLED.message])
    await writes(player)
    expect((await stateOf(player)).slice(0, 2)).toEqual(['settled', 'open'])
    expect((await noticesOf(portal, player)).map(({ title }) => title)).toEqual([
      'Yêu cầu kiểm tra đã có câu trả lời',
      'Yêu cầu kiểm tra đã có câu trả lời',
    ])
    expect((await answer(id, REJECTED)).status).toBe(409)
  })

  test('cases that are closed make room for others', async ({ player }) => {
    for (let count = 0; count < 3; count += 1) await aClaim(portal, player)
    expect((await sendClaim(portal, player)).status).toBe(422)
    await onCaseOf(player, '/close')
    expect((await sendClaim(portal, player)).status).toBe(201)
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
    expect(await listOpenClaims(portal.db, [amount], 10)).toEqual([
      expect.objectContaining({ id: second, amount, has_picture: false, paid_at: expect.any(String) }),
      expect.objectContaining({ id: first, amount }),
    ])
    expect(await listOpenClaims(portal.db, [amount], 1)).toHaveLength(1)
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
