import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore, type DatabaseBefore } from '#tests/support/database-before.ts'

let database: DatabaseBefore
let client: DatabaseBefore['client']

/** A database as it was before the migration that moves proposals about bank transfers, with such proposals. */
beforeAll(async () => {
  database = await databaseBefore('0037-one-table-of-proposals.sql')
  client = database.client
  // What the rows refer to is of no matter here.
  await client.query(`SET session_replication_role = replica;
    INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
      VALUES (1, 'thungan', 'x', '1', 1), (2, 'chucong', 'x', '1', 2);
    INSERT INTO bank_transfer_act (bank_transaction_id, act, operator_id, reason, details, created_at)
      VALUES (71, 'approve', 2, 'Đã xem sao kê', '{}', '2026-03-01T00:00:01Z'),
             (71, 'approve', 2, 'Lần sau nữa', '{}', '2026-04-01T00:00:01Z');
    INSERT INTO bank_transfer_proposal (bank_transaction_id, act, order_id, user_id, rate, coins, reason, proposed_by,
                                        proposed_at, state, decided_by, decided_at)
      VALUES (71, 'match', 81, 91, 2, 4000000, 'Đúng đơn', 1, '2026-02-01T00:00:00Z', 'approved', 2, '2026-03-01T00:00:00Z'),
             (72, 'credit', NULL, 92, 1, 2000000, 'Quên ghi mã', 1, '2026-02-02T00:00:00Z', 'withdrawn', 1, '2026-03-02T00:00:00Z'),
             (72, 'credit', NULL, 93, 1, 2000000, 'Của bạn kia', 1, '2026-02-03T00:00:00Z', 'waiting', NULL, NULL);
    SET session_replication_role = origin`)
})
afterAll(() => database.drop())

test('proposals about bank transfers move into the one table with all that was decided', async () => {
  await client.query(database.sql)
  const { rows } = await client.query(
    `SELECT kind, subject, payload, reason, proposed_by, proposed_at, state, decided_by, decided_at, decision_reason
       FROM proposal ORDER BY id`,
  )
  const one = { kind: 'bank-transfer', proposed_by: '1' }
  expect(rows).toEqual([
    {
      ...one,
      subject: '71',
      payload: { act: 'match', order_id: '81', user_id: '91', rate: 2, coins: 4_000_000 },
      reason: 'Đúng đơn',
      proposed_at: new Date('2026-02-01T00:00:00Z'),
      state: 'approved',
      decided_by: '2',
      decided_at: new Date('2026-03-01T00:00:00Z'),
      decision_reason: 'Đã xem sao kê',
    },
    {
      ...one,
      subject: '72',
      payload: { act: 'credit', order_id: null, user_id: '92', rate: 1, coins: 2_000_000 },
      reason: 'Quên ghi mã',
      proposed_at: new Date('2026-02-02T00:00:00Z'),
      state: 'withdrawn',
      decided_by: '1',
      decided_at: new Date('2026-03-02T00:00:00Z'),
      decision_reason: null,
    },
    {
      ...one,
      subject: '72',
      payload: { act: 'credit', order_id: null, user_id: '93', rate: 1, coins: 2_000_000 },
      reason: 'Của bạn kia',
      proposed_at: new Date('2026-02-03T00:00:00Z'),
      state: 'waiting',
      decided_by: null,
      decided_at: null,
      decision_reason: null,
    },
  ])
})

test.each([
  ['an act there is not', { act: 'gift', order_id: null }],
  ['a match without its order', { act: 'match', order_id: null }],
  ['a credit of an order', { act: 'credit', order_id: '81' }],
  ['nobody to give to', { act: 'credit', order_id: null, user_id: null }],
  ['nothing to give', { act: 'credit', order_id: null, coins: 0 }],
])('a proposal about a bank transfer with %s is refused', async (_, change) => {
  const payload = { user_id: '91', rate: 1, coins: 1, ...change }
  await expect(
    client.query(
      `INSERT INTO proposal (kind, subject, payload, reason, proposed_by) VALUES ('bank-transfer', '75', $1, 'Thử', 1)`,
      [JSON.stringify(payload)],
    ),
  ).rejects.toThrow('proposal_bank_transfer')
})
