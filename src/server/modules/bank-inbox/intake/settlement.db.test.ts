import { randomInt } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { useTestApp } from '#tests/support/app.ts'
import { ACB } from '#tests/support/payment-keys.ts'
import {
  ageOrder,
  anOrder,
  balanceOf,
  openAccounts,
  payment,
  aNotification,
  deliver,
} from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import {
  aTransfer,
  storedEventsOf,
  orderRow,
  postNotification,
  type Sender,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import { setSetting } from '#tests/support/settings.ts'
import { statementsOf } from '#tests/support/postgres.ts'

const portal = useTestApp()

beforeAll(async () => {
  await openAccounts(portal)
})

afterEach(() => expectReconciled(portal))
type Scene = { player: TestPlayer; orders: RechargeOrder[] }

type Outcome = {
  order: string
  credited: number
  event: string
  reason: string | null
  transfer: string | null
}

/** The special cases as several providers report them, each about an order of its own. */
type Case = {
  what: string
  providers?: readonly Sender[]
  /** What is special about the transfer; with the order's code and nothing else when left out. */
  transfer?: (order: RechargeOrder) => Partial<TestTransfer>
  /** What has happened before it is reported. */
  before?: (scene: Scene) => Promise<unknown>
  after?: () => Promise<unknown>
  becomes: Outcome
}

const HOUR_MS = 3_600_000
const PAID = { order: 'paid', credited: 50_000, event: 'applied', reason: null, transfer: 'credited' }

const waits = (reason: string, order = 'review'): Outcome => ({
  order,
  credited: 0,
  event: 'review',
  reason,
  transfer: 'review',
})

const ignored = (reason: string, transfer: string | null = null): Outcome => ({
  order: 'pending',
  credited: 0,
  event: 'ignored',
  reason,
  transfer,
})

const memo = (text: (code: string) => string) => (order: RechargeOrder) => ({ memo: text(order.code) })

const forEachOrder = (act: (order: RechargeOrder, player: TestPlayer) => Promise<unknown>) => {
  return async ({ orders, player }: Scene) => {
    for (const order of orders) await act(order, player)
  }
}

const aged = (hours: number) => forEachOrder((order) => ageOrder(portal, order.code, hours))

const FOUND: Case[] = [
  {
    what: 'from the same bank',
    transfer: memo((code) => `MBVCB.3278907687.${code}.CT tu 0011000000009 NGUYEN VAN A toi 0011`),
  },
  {
    what: 'from the same bank, newer',
    transfer: memo((code) => `MBVCB.15444160238.6218BFTVG2XXXXXX.${code}`),
  },
  { what: 'from another bank', transfer: memo((code) => `884114.201126.223854.${code}`) },
  { what: 'from a wallet', transfer: memo((code) => `311447.201126.213735.15330734312-0901234567-${code}`) },
  { what: 'in small letters', transfer: memo((code) => `nap ${code.toLowerCase()} cam on`) },
  { what: 'cut into pieces', transfer: memo((code) => `${code.slice(0, 8)} ${code.slice(8)}`) },
  { what: 'with marks between', transfer: memo((code) => `Nạp tiền-${code.slice(0, 5)}.${code.slice(5)}/đ`) },
].map(({ what, transfer }) => ({ what: `memo changed by the bank: ${what}`, transfer, becomes: PAID }))

const CASES: Case[] = [
  { what: 'exact code, amount, in time', becomes: PAID },
  ...FOUND,
  {
    what: 'memo truncated',
    transfer: memo((code) => code.slice(0, -1)),
    becomes: waits('no-code', 'pending'),
  },
  {
    what: 'memo wrong',
    transfer: memo(() => 'NGUYEN VAN A chuyen tien'),
    becomes: waits('no-code', 'pending'),
  },
  {
    what: 'amount lower than ordered',
    transfer: () => ({ amount: 20_000 }),
    becomes: { ...PAID, order: 'paid_under', credited: 20_000 },
  },
  {
    what: 'amount higher than ordered',
    transfer: () => ({ amount: 70_000 }),
    becomes: { ...PAID, order: 'paid_over', credited: 70_000 },
  },
  { what: 'amount below the minimum', transfer: () => ({ amount: 9_999 }), becomes: waits('below-minimum') },
  {
    what: 'amount over the maximum',
    transfer: () => ({ amount: 50_000_001 }),
    becomes: waits('above-maximum'),
  },
  {
    what: 'paid twice with one code',
    before: forEachOrder((order) => postNotification(portal, 'sepay', aTransfer({ memo: order.code }))),
    becomes: { ...waits('order-already-paid', 'paid'), credited: 50_000 },
  },
  { what: 'paid after expiry, within 72 hours', before: aged(71), becomes: PAID },
  { what: 'paid after expiry, beyond 72 hours', before: aged(73), becomes: waits('too-late') },
  {
    what: 'reported beyond 72 hours, but paid within by the bank’s own time',
    before: aged(100),
    transfer: (order) => ({ bookedAt: new Date(Date.parse(order.created_at) - 100 * HOUR_MS + 60_000) }),
    becomes: PAID,
  },
  {
    what: 'paid after expiry, the rate changed',
    before: async (scene) => {
      await aged(1)(scene)
      await setSetting(portal, 'recharge_rate', '2')
    },
    after: () => setSetting(portal, 'recharge_rate', '1'),
    becomes: waits('rate-changed'),
  },
  {
    what: 'order cancelled',
    before: forEachOrder((order, { token }) =>
      portal.call('POST', `/api/recharge/orders/${order.code}/cancel`, { token }),
    ),
    becomes: waits('order-cancelled', 'cancelled'),
  },
  {
    what: 'two valid codes in one memo',
    transfer: memo((code) => `${code} TCXABCDEFGHJD`),
    becomes: waits('two-codes', 'pending'),
  },
  {
    what: 'code of another environment',
    transfer: memo(() => 'TCXABCDEFGHJD'),
    becomes: waits('unknown-code', 'pending'),
  },
  {
    what: 'account banned',
    before: ({ player }) =>
      asOwner(portal, `UPDATE users SET ban_until = now() + interval '1 day' WHERE id = $1`, [player.id]),
    becomes: waits('user-banned'),
  },
  {
    what: 'on our other account',
    transfer: () => ({ account: ACB.number }),
    becomes: waits('wrong-account'),
  },
  {
    what: 'to the account its QR showed, which is no longer in the settings',
    before: () => setSetting(portal, 'bank_account_vietcombank', ''),
    after: () => openAccounts(portal),
    becomes: PAID,
  },
  {
    what: 'foreign account',
    transfer: () => ({ account: '9990000000009', memo: 'nap' }),
    becomes: ignored('foreign-account'),
  },
  {
    what: 'outgoing, with the code of an open order',
    providers: ['sepay', 'casso', 'casso-token'],
    transfer: () => ({ direction: 'out' }),
    becomes: ignored('outgoing', 'ignored'),
  },
  {
    what: 'reversal by the bank, which appears as outgoing',
    providers: ['sepay', 'casso', 'casso-token'],
    before: forEachOrder((order) => postNotification(portal, 'sepay', aTransfer({ memo: order.code }))),
    transfer: () => ({ direction: 'out' }),
    becomes: { ...ignored('outgoing', 'ignored'), order: 'paid', credited: 50_000 },
  },
  {
    what: 'test ping',
    providers: ['sepay', 'casso'],
    transfer: () => ({ id: 0 }),
    becomes: ignored('test-ping'),
  },
]

describe('a transfer reported by several providers:', () => {
  test.each(CASES)(
    '$what',
    async ({ providers = ['sepay', 'casso', 'payos'], transfer, before, after, becomes }) => {
      const player = await aPlayer(portal)
      const orders: RechargeOrder[] = []
      for (const _ of providers) orders.push(await anOrder(portal, player))
      await before?.({ player, orders })
      for (const [at, provider] of providers.entries()) {
        const order = orders[at]!
        const reported = aTransfer({ memo: order.code, ...transfer?.(order) })
        expect(await postNotification(portal, provider, reported)).toEqual({
          status: 200,
          text: '{"success":true}',
        })
        const stored = (await storedEventsOf(portal, reported)).filter((event) =>
          provider.startsWith(event.provider),
        )
        expect(stored).toHaveLength(1)
        expect({
          provider,
          ...(await orderRow(portal, order)),
          event: stored[0]?.status,
          reason: stored[0]?.reason,
          transfer: stored[0]?.state,
        }).toEqual({ provider, ...becomes })
      }
      await after?.()
      expect(await balanceOf(portal, player)).toBe(becomes.credited * providers.length)
    },
  )

  test('account deleted', async () => {
    const { player, order } = await payment(portal)
    // The portal deletes nobody, and its tables would not let it; a player without a wallet is as near as one gets.
    await asOwner(portal, 'ALTER TABLE users ALTER wallet_account_id DROP NOT NULL')
    await asOwner(portal, 'UPDATE users SET wallet_account_id = NULL WHERE id = $1', [player.id])
    const reported = aTransfer({ memo: order.code })
    await postNotification(portal, 'casso', reported)
    expect(await storedEventsOf(portal, reported)).toMatchObject([
      { status: 'review', reason: 'user-deleted', state: 'review' },
    ])
    expect(await orderRow(portal, order)).toEqual({ order: 'review', credited: 0 })
  })

  test('same notification twice', async () => {
    for (const provider of ['sepay', 'casso', 'casso-token', 'payos'] as const) {
      const { player, order } = await payment(portal)
      const reported = aTransfer({ memo: order.code })
      for (const _ of [1, 2]) expect((await postNotification(portal, provider, reported)).status).toBe(200)
      expect(await storedEventsOf(portal, reported)).toHaveLength(1)
      expect(await balanceOf(portal, player)).toBe(50_000)
    }
  })

  test('same notification twice, with another text', async () => {
    const { player, order } = await payment(portal)
    const first = aTransfer({ memo: order.code })
    await postNotification(portal, 'casso', first)
    await postNotification(portal, 'casso', { ...first, amount: 60_000 })
    expect(await storedEventsOf(portal, first)).toHaveLength(1)
    expect(await balanceOf(portal, player)).toBe(50_000)
    expect(portal.logged()).toContain('came again with another body')
  })

  test('two providers for one transfer, 20 deliveries at once: one row in the ledger', async () => {
    const { player, order } = await payment(portal)
    const ref = `FT${randomInt(2 ** 40)}`
    const reported = (['sepay', 'casso', 'casso-token', 'payos'] as const).map((provider) => ({
      provider,
      transfer: aTransfer({ memo: order.code, ref }),
    }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const { provider, transfer } = reported[at % reported.length]!
        return postNotification(portal, provider, transfer)
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const stored = (
      await Promise.all(reported.map(({ transfer }) => storedEventsOf(portal, transfer)))
    ).flat()
    expect(stored.map(({ status }) => status).sort()).toEqual([
      'applied',
      'duplicate',
      'duplicate',
      'duplicate',
    ])
    expect(new Set(stored.map(({ bankTransactionId }) => bankTransactionId)).size).toBe(1)
    const credits = await portal.db
      .selectFrom('ledger_transfer')
      .select('amount')
      .where('source_type', '=', 'bank_transaction')
      .where('source_id', '=', stored[0]!.bankTransactionId)
      .execute()
    expect(credits).toHaveLength(1)
    expect(await balanceOf(portal, player)).toBe(50_000)
  })

  test('two providers for one transfer, with different amounts: the second waits for a person', async () => {
    const { player, order } = await payment(portal)
    const first = aTransfer({ memo: order.code })
    const second = aTransfer({ memo: order.code, ref: first.ref, amount: 60_000 })
    await postNotification(portal, 'payos', first)
    await postNotification(portal, 'casso', second)
    expect(await storedEventsOf(portal, second)).toMatchObject([
      { status: 'review', reason: 'reference-conflict', state: 'credited' },
    ])
    expect(await balanceOf(portal, player)).toBe(50_000)
  })
})

/** An order of a player who has proved an address. */
async function aNotifiedPayment() {
  const email = anEmail()
  const paying = await payment(portal)
  await giveVerifiedEmail(portal, paying.player.id, email)
  return { ...paying, email }
}

const lettersWaiting = async () =>
  Number(
    (
      await portal.db
        .selectFrom('mail_outbox')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('the mail about a crediting', () => {
  test('has what arrived, what it became, the order, the time, the new balance and where to read on', async () => {
    const { player, order, email } = await aNotifiedPayment()
    await deliver(portal, aNotification({ content: order.code, transferAmount: 70_000 }))
    const mails = await lettersTo(portal, email)
    expect(mails).toMatchObject([
      { kind: 'recharge-credited', username: player.username, subject: 'Bạn đã nạp 70,000 TCoin' },
    ])
    expect(mails[0]?.paragraphs).toEqual([
      'Khoản chuyển 70,000 VND của bạn đã đến và TCoin đã vào ví.',
      'Đã cộng: 70,000 TCoin',
      `Đơn nạp: ${order.code}`,
      expect.stringMatching(/^Lúc: \d{2}\/\d{2}\/\d{4} \d{2}:\d{2} \(giờ Việt Nam\)$/),
      'Số dư mới: 70,000 TCoin',
    ])
    expect(mails[0]?.action?.url).toBe(`${portal.deps.publicUrl}/user/transactions`)
  })

  test('goes once, however often the bank reports the transfer', async () => {
    const { order, email } = await aNotifiedPayment()
    const notification = aNotification({ content: order.code })
    await deliver(portal, notification)
    await deliver(portal, notification)
    await deliver(portal, { ...notification, id: notification.id + 1 })
    expect(await lettersTo(portal, email)).toHaveLength(1)
  })

  test('goes to a proved address only', async () => {
    const { player, order } = await payment(portal)
    await portal.db
      .updateTable('user_contacts')
      .set({ email: anEmail(), email_verified_at: null })
      .where('user_id', '=', player.id)
      .executeTakeFirstOrThrow()
    const before = await lettersWaiting()
    await deliver(portal, aNotification({ content: order.code }))
    expect(await lettersWaiting()).toBe(before)
  })

  test('is not written when the crediting did not happen', async () => {
    const { order, email } = await aNotifiedPayment()
    const notification = aNotification({ content: order.code })
    // The last statement before COMMIT fails: the mail was queued by then.
    await asOwner(portal, 'REVOKE UPDATE (status) ON payment_event FROM portal_app')
    try {
      await deliver(portal, notification)
    } finally {
      await asOwner(portal, 'GRANT UPDATE (status) ON payment_event TO portal_app')
    }
    expect(await lettersTo(portal, email)).toEqual([])
  })
})

describe('a crediting takes at most 11 SQL statements', () => {
  test('from the arrival of its notification on, with its mail, BEGIN and COMMIT', async () => {
    const { order, email } = await aNotifiedPayment()
    const statements = await statementsOf(() => deliver(portal, aNotification({ content: order.code })))
    expect(await lettersTo(portal, email)).toHaveLength(1)
    expect(statements).toEqual(expect.arrayContaining(['begin', 'commit']))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(11)
  })
})
