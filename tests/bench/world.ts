import { randomInt } from 'node:crypto'
import { makeOrderCode } from '#server/modules/recharge/order-code.rules.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'

/** So many that none trades more often than a player may. */
export const PLAYERS = 1_000
const FIRST_USER = 1_000_000
const COINS = 1_000_000_000

/** Activated players with TCoin and a character; every other one has an address that mail about a recharge goes to. */
export async function fillPlayers(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query(`INSERT INTO servers (id, name) VALUES ('1', 'Máy chủ 1') ON CONFLICT DO NOTHING`)
    await client.query(
      `INSERT INTO settings (key, value) VALUES ('bank_account_vietcombank', $1)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [JSON.stringify(VIETCOMBANK)],
    )
    await client.query(`DO $players$
      DECLARE player bigint; wallet bigint;
      BEGIN
        FOR n IN 1..${PLAYERS} LOOP
          player := ${FIRST_USER} + n;
          wallet := ledger_open_account('user_wallet', player);
          INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
            VALUES (player, 'nguoichoi' || n, '-', '1', wallet);
          INSERT INTO user_contacts (user_id, email, email_verified_at)
            VALUES (player, 'nguoichoi' || n || '@example.com', CASE WHEN n % 2 = 0 THEN now() END);
          INSERT INTO activation (user_id, fee) VALUES (player, 0);
          INSERT INTO game_character VALUES (player, '1', '1', 'Kage', 0, 0, 10);
          INSERT INTO game_character_fetch VALUES (player, now() + interval '1 day');
          PERFORM ledger_post('adjustment', 9000000000000001, wallet, ${COINS}, 'bench', n::text, NULL, NULL, NULL, NULL);
        END LOOP;
      END $players$`)
    await client.query('VACUUM ANALYZE')
  })
}

export type Payable = { code: string; amount: number }

const AMOUNT = 50_000

/** Open orders of the players in turn; the code of each is what a payer writes. */
export async function addOrders(ownerUrl: string, count: number): Promise<Payable[]> {
  const codes = Array.from({ length: count }, () => makeOrderCode((max) => randomInt(max)))
  await asOwner(ownerUrl, (client) =>
    client.query(
      `INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, expires_at)
         SELECT code, ${FIRST_USER} + 1 + n % ${PLAYERS}, 2, ${AMOUNT}, 1, $2, $3, $4, '-', now() + interval '1 hour'
           FROM unnest($1::text[]) WITH ORDINALITY AS given (code, n)`,
      [codes, VIETCOMBANK.bin, VIETCOMBANK.number, VIETCOMBANK.name],
    ),
  )
  return codes.map((code) => ({ code, amount: AMOUNT }))
}
