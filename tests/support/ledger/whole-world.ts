import type { Ledger } from '#tests/support/ledger/ledger.ts'

/** Deliveries of the whole world, one in each end state that matters. */
export const DELIVERIES = {
  delivered: '00000000-0000-4000-8000-000000000001',
  refunded: '00000000-0000-4000-8000-000000000002',
  open: '00000000-0000-4000-8000-000000000003',
  gift: '00000000-0000-4000-8000-000000000004',
  giftRefunded: '00000000-0000-4000-8000-000000000005',
} as const

/**
 * One of everything that the reconciliations look at, put together as the portal would: players 1 and 2, a paid order,
 * an activation, a payment between players, purchases in each state, and keys that point at them.
 */
export async function buildWholeWorld(ledger: Ledger): Promise<void> {
  await ledger.owner.query(`INSERT INTO servers (id, name) VALUES ('1', 'Làng Lá')`)
  await ledger.owner.query(WORLD)
}

const WORLD = `
DO $world$
DECLARE
  revenue constant bigint := 9000000000000005;
  hold constant bigint := 9000000000000006;
  recharge constant bigint := 9000000000000007;
  wallet1 bigint := ledger_open_account('user_wallet', 1);
  wallet2 bigint := ledger_open_account('user_wallet', 2);
  order_id bigint;
  bank_id bigint;
  moved bigint;
  what record;
BEGIN
  INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
    VALUES (1, 'tuanninja', '-', '1', wallet1), (2, 'linhkunai', '-', '1', wallet2);

  INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, status,
      credited, expires_at, paid_at)
    VALUES ('TCX7K2QF9XAMM', 1, 2, 500000, 1, '970436', '0011000000001', 'CONG NINJA', '-', 'paid', 500000, now(), now())
    RETURNING id INTO order_id;
  SELECT transfer_id INTO moved FROM ledger_post('recharge', recharge, wallet1, 500000, 'bank_transaction', '1', NULL, NULL, NULL, NULL);
  INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, state, order_id, user_id, credited, transfer_id)
    VALUES ('0011000000001', 'in', 'FT1', 500000, 'credited', order_id, 1, 500000, moved)
    RETURNING id INTO bank_id;
  INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, bank_ref, status,
      bank_transaction_id, booked_at, processed_at)
    VALUES ('sepay', '1', 'valid', 'in', 500000, '0011000000001', 'FT1', 'applied', bank_id, now(), now());
  INSERT INTO payment_event_body (event_id, raw, memo, full_text, code)
    SELECT id, '{}', 'TCX7K2QF9XAMM', 'TCX7K2QF9XAMM', 'TCX7K2QF9XAMM' FROM payment_event;

  SELECT transfer_id INTO moved FROM ledger_post('activation', wallet1, revenue, 20000, 'user', '1', 1, NULL, NULL, NULL);
  INSERT INTO activation (user_id, transfer_id, fee) VALUES (1, moved, 20000);
  INSERT INTO idempotency_key (scope, key, request_hash, result_type, result_id, status_code, response)
    VALUES ('user:1:activate', 'a', '', 'activation', '1', 200, '{}');

  SELECT transfer_id INTO moved FROM ledger_post('p2p', wallet1, wallet2, 1000, 'transfer', 'a', 1, NULL, NULL, NULL);
  INSERT INTO idempotency_key (scope, key, request_hash, result_type, result_id, status_code, response)
    VALUES ('user:1:transfer', 'a', '', 'ledger_transfer', moved::text, 200, '{}'),
           ('user:1:order', 'a', '', 'payment_order', 'TCX7K2QF9XAMM', 200, '{}'),
           ('user:1:exchange', 'a', '', 'delivery', '${DELIVERIES.delivered}', 200, '{}');

  FOR what IN SELECT * FROM (VALUES
    ('${DELIVERIES.delivered}'::uuid, 'exchange', 10000, 'delivered'),
    ('${DELIVERIES.refunded}', 'exchange', 20000, 'refunded'),
    ('${DELIVERIES.open}', 'exchange', 50000, 'pending'),
    ('${DELIVERIES.gift}', 'gift', 9999, 'delivered'),
    ('${DELIVERIES.giftRefunded}', 'gift', 19999, 'refunded')) AS made (id, kind, amount, state)
  LOOP
    PERFORM ledger_post(what.kind || '_hold', wallet1, hold, what.amount, 'delivery', what.id::text, 1, NULL, NULL, NULL);
    INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state, settled_at)
      VALUES (what.id, what.kind, 1, what.amount, '1', 'tuanninja', '1', 'Kage', '[]', what.state,
        CASE WHEN what.state <> 'pending' THEN now() END);
    IF what.kind = 'exchange' THEN
      INSERT INTO exchange_order (delivery_id, user_id, amount, rate, bonus_percent, receive)
        VALUES (what.id, 1, what.amount, 30, 10, what.amount * 33 / 100);
    ELSE
      INSERT INTO first_gift (delivery_id, user_id, package_id, voided_at)
        VALUES (what.id, 1, what.amount, CASE WHEN what.state = 'refunded' THEN now() END);
    END IF;
    IF what.state = 'delivered' THEN
      PERFORM ledger_post(what.kind || '_settle', hold, revenue, what.amount, 'delivery', what.id::text, NULL, NULL, NULL, NULL);
    ELSIF what.state = 'refunded' THEN
      PERFORM ledger_post(what.kind || '_refund', hold, wallet1, what.amount, 'delivery', what.id::text, NULL, NULL, NULL, NULL);
    END IF;
  END LOOP;
END
$world$`
