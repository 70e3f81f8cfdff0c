import { beforeAll, describe, expect, test } from 'vitest'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { aPlayer, send } from '#tests/support/players.ts'
import { aBuyer, workOnce, exchange } from '#tests/support/purchases.ts'

type Line = Record<string, unknown> & { event?: string }

const portal = useTestApp()
beforeAll(() => openAccounts(portal))

/** What `grep` finds in the log: its lines with a text, in their order. */
const grep = (text: string): Line[] =>
  portal
    .logged()
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as Line)

const posted = () => grep('"event":"ledger.posted"')

describe('in the log', () => {
  test('one search by the order code follows a payment from the order to the ledger', async () => {
    const { order } = await payment(portal)
    await deliver(portal, aNotification({ content: order.code }))
    const lines = grep(order.code)
    expect(lines.map(({ event }) => event)).toEqual([
      'order.placed',
      'payment.received',
      'payment.credited',
      'payment.decided',
    ])
    const credited = lines[2]
    expect(posted().filter(({ transferId }) => transferId === credited?.['transferId'])).toEqual([
      expect.objectContaining({
        kind: 'recharge',
        amount: credited?.['coins'],
        source: 'bank_transaction',
        sourceId: credited?.['bankTransactionId'],
        requestId: credited?.['requestId'],
      }),
    ])
  })

  test('one search by the delivery follows a purchase from the request to the game and the ledger', async () => {
    // With one purchase before, which is over.
    const { player, character } = await aBuyer(portal, 20_000)
    await workOnce(portal.deps)
    const bought = await exchange(portal, { player, character })
    await workOnce(portal.deps)
    const lines = grep((bought.body as { delivery: { id: string } }).delivery.id)
    expect(lines.map(({ event, kind }) => [event, kind])).toEqual([
      ['ledger.posted', 'exchange_hold'],
      ['purchase.held', 'exchange'],
      ['delivery.sent', undefined],
      ['ledger.posted', 'exchange_settle'],
      ['delivery.settled', undefined],
    ])
    expect(lines[0]?.['requestId']).toBe(bought.headers['x-request-id'])
    expect(lines[0]?.['transferId']).toBe(lines[1]?.['transferId'])
    expect(lines[3]?.['transferId']).toBe(lines[4]?.['transferId'])
  })

  test('every movement of the ledger is one line, and what was undone is none', async () => {
    const payer = await aPlayer(portal, { coins: 1_000_000, isActivated: true })
    const payee = await aPlayer(portal)
    const key = 'a key of the payer’s own'
    const paid = await send(portal, payer, { payee: payee.username, amount: 100_000, activate: true }, key)
    expect(paid.status).toBe(200)
    const undone = { kind: 'adjustment', debit: HOUSE.adjustment, credit: payee.walletId, amount: 7 } as const
    await inTransaction(portal.db, async (tx) => {
      await postTransfer(tx, { ...undone, source: { type: 'test', id: 'undone' } })
      throw new Error('undone')
    }).catch(() => {})
    const rows = await portal.db
      .selectFrom('ledger_transfer')
      .select(['id', 'kind', 'amount', 'source_type', 'request_id'])
      .orderBy('id')
      .execute()
    expect(new Set(rows.map(({ kind }) => kind))).toContain('p2p')
    const lines = posted().toSorted((one, other) => Number(one['transferId']) - Number(other['transferId']))
    expect(lines).toMatchObject(
      rows.map((row) => ({
        transferId: row.id,
        kind: row.kind,
        amount: Number(row.amount),
        source: row.source_type,
        ...(row.request_id === null ? {} : { requestId: row.request_id }),
      })),
    )
    expect(portal.logged()).not.toContain(key)
  })
})
