import { afterEach, beforeAll, describe, expect, test as it } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'

const test = useTestApp()
beforeAll(async () => {
  await openAccounts(test)
})
afterEach(() => expectReconciled(test))

/** An order of a player who has proved an address. */
async function aNotifiedPayment() {
  const email = anEmail()
  const paying = await payment(test)
  await giveVerifiedEmail(test, paying.player.id, email)
  return { ...paying, email }
}

const lettersWaiting = async () =>
  Number(
    (
      await test.db
        .selectFrom('mail_outbox')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('the letter about a crediting', () => {
  it('tells what arrived, what it became, the order, the time, the new balance and where to read on', async () => {
    const { player, order, email } = await aNotifiedPayment()
    await deliver(test, aNotification({ content: order.code, transferAmount: 70_000 }))
    const letters = await lettersTo(test, email)
    expect(letters).toMatchObject([
      { kind: 'recharge-credited', username: player.username, subject: 'Bạn đã nạp 70,000 TCoin' },
    ])
    expect(letters[0]?.paragraphs).toEqual([
      'Khoản chuyển 70,000 VND của bạn đã đến và TCoin đã vào ví.',
      'Đã cộng: 70,000 TCoin',
      `Đơn nạp: ${order.code}`,
      expect.stringMatching(/^Lúc: \d{2}\/\d{2}\/\d{4} \d{2}:\d{2} \(giờ Việt Nam\)$/),
      'Số dư mới: 70,000 TCoin',
    ])
    expect(letters[0]?.action?.url).toBe(`${test.deps.publicUrl}/user/transactions`)
  })

  it('goes once, however often the bank tells', async () => {
    const { order, email } = await aNotifiedPayment()
    const notification = aNotification({ content: order.code })
    await deliver(test, notification)
    await deliver(test, notification)
    await deliver(test, { ...notification, id: notification.id + 1 })
    expect(await lettersTo(test, email)).toHaveLength(1)
  })

  it('goes to a proved address only', async () => {
    const { player, order } = await payment(test)
    await test.db
      .updateTable('user_contacts')
      .set({ email: anEmail(), email_verified_at: null })
      .where('user_id', '=', player.id)
      .executeTakeFirstOrThrow()
    const before = await lettersWaiting()
    await deliver(test, aNotification({ content: order.code }))
    expect(await lettersWaiting()).toBe(before)
  })

  it('is not written when the crediting did not happen', async () => {
    const { order, email } = await aNotifiedPayment()
    const notification = aNotification({ content: order.code })
    // The last statement before COMMIT fails: the letter was queued by then.
    await asOwner(test, 'REVOKE UPDATE (status) ON payment_event FROM portal_app')
    try {
      await deliver(test, notification)
    } finally {
      await asOwner(test, 'GRANT UPDATE (status) ON payment_event TO portal_app')
    }
    expect(await lettersTo(test, email)).toEqual([])
  })
})

describe('a crediting takes at most 11 SQL statements', () => {
  it('from the arrival of its notification on, with its letter, BEGIN and COMMIT', async () => {
    const { order, email } = await aNotifiedPayment()
    const statements = await statementsOf(() => deliver(test, aNotification({ content: order.code })))
    expect(await lettersTo(test, email)).toHaveLength(1)
    expect(statements).toEqual(expect.arrayContaining(['begin', 'commit']))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(11)
  })
})
