import { Client } from 'pg'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'

export type Size = { players: number; ledgerEntries: number; orders: number; deliveries: number }

/** Ids above those that a portal under measurement gives by itself. */
const FIRST_USER = 1_000_000
const FIRST_WALLET = 5_000_000

/**
 * Fills the database of a portal with rows as they would be after years: written directly, without the checks and
 * triggers that each of them would have passed. The figures do not add up; lists do not ask for that.
 */
export async function fillDatabase(dataDir: string, size: Size): Promise<void> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  const client = new Client({ connectionString: embedded.url })
  try {
    await client.connect()
    await client.query(`SET session_replication_role = replica; ${statements(size).join(';\n')}`)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
    await embedded.stop()
  }
}

const statements = ({ players, ledgerEntries, orders, deliveries }: Size) => [
  `INSERT INTO users (id, username, password_hash, server_id, wallet_account_id, created_at, ban_until, ban_reason)
     OVERRIDING SYSTEM VALUE
     SELECT ${FIRST_USER} + n, 'nguoi' || n, '-', '1', ${FIRST_WALLET} + n, now() - n * interval '3 minutes',
            CASE WHEN n % 500 = 0 THEN now() + interval '1 day' END, CASE WHEN n % 500 = 0 THEN 'Gian lận' END
       FROM generate_series(1, ${players}) n`,
  `INSERT INTO user_contacts (user_id, phone, email)
     SELECT ${FIRST_USER} + n, '849' || lpad(n::text, 8, '0'), 'nguoi' || n || '@example.com'
       FROM generate_series(1, ${players}) n`,
  `INSERT INTO ledger_account (id, kind, user_id, balance, version)
     SELECT ${FIRST_WALLET} + n, 'user_wallet', ${FIRST_USER} + n, 1000, ${ledgerEntries} / ${players}
       FROM generate_series(1, ${players}) n`,
  // Two entries for each transfer, between two wallets.
  `INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, source_type, source_id, created_at)
     OVERRIDING SYSTEM VALUE
     SELECT 10000000 + n, (ARRAY['recharge', 'p2p', 'exchange_hold', 'exchange_settle'])[1 + n % 4],
            ${FIRST_WALLET} + 1 + n % ${players}, ${FIRST_WALLET} + 1 + (n + 7) % ${players}, 1000 + n % 1000,
            'bench', n::text, now() - n * interval '20 seconds'
       FROM generate_series(1, ${ledgerEntries} / 2) n`,
  `INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
     SELECT account, row_number() OVER (PARTITION BY account ORDER BY id), id, kind, signed, 1000, 1000 + signed, created_at
       FROM (SELECT id, kind, created_at, debit_account AS account, -amount AS signed FROM ledger_transfer WHERE source_type = 'bench'
             UNION ALL
             SELECT id, kind, created_at, credit_account, amount FROM ledger_transfer WHERE source_type = 'bench') sides`,
  `INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number, account_name, qr, status,
       credited, created_at, expires_at, paid_at)
     SELECT 'TCX' || translate(lpad(n::text, 10, '0'), '01', 'AB'), ${FIRST_USER} + 1 + n % ${players}, 1 + n % 3,
            10000 * (1 + n % 9), 1, '970436', '00' || n % 2, 'X', '-',
            CASE WHEN n % 50 = 0 THEN 'expired' WHEN n % 1000 = 1 THEN 'review' ELSE 'paid' END,
            CASE WHEN n % 50 = 0 THEN 0 ELSE 10000 * (1 + n % 9) END, now() - n * interval '1 minute',
            now() - n * interval '1 minute', now() - n * interval '1 minute'
       FROM generate_series(1, ${orders}) n`,
  `INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, booked_at, state, reason, created_at)
     SELECT '00' || n % 2, 'in', 'FT' || n, 10000 * (1 + n % 9), now() - n * interval '1 minute',
            CASE WHEN n % 100 = 0 THEN 'review' WHEN n % 20 = 7 THEN 'refunded' ELSE 'ignored' END, 'no-code',
            now() - n * interval '1 minute'
       FROM generate_series(1, ${orders}) n`,
  `INSERT INTO payment_event (provider, provider_event_id, signature, status, account_number, amount, direction, bank_ref,
       received_at, processed_at)
     SELECT 'sepay', n::text, 'valid', 'ignored', '00' || n % 2, 10000, 'in', 'FT' || n, now() - n * interval '1 minute', now()
       FROM generate_series(1, ${orders}) n`,
  `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state,
       settled_at, created_at)
     SELECT gen_random_uuid(), CASE WHEN n % 9 = 0 THEN 'gift' ELSE 'exchange' END, ${FIRST_USER} + 1 + n % ${players},
            100, '1', 'nguoi', 'c', 'C', '[]',
            CASE WHEN n % 1000 = 0 THEN 'parked' WHEN n % 30 = 0 THEN 'refunded' ELSE 'delivered' END,
            CASE WHEN n % 1000 <> 0 THEN now() END,
            now() - n * interval '1 minute'
       FROM generate_series(1, ${deliveries}) n`,
  `INSERT INTO sign_in (user_id, at, outcome, user_agent, place, origin_hash, is_new_device)
     SELECT ${FIRST_USER} + 1 + n % ${players}, now() - n * interval '20 seconds', 'succeeded', 'Chrome', 'VN', sha256(n::text::bytea), false
       FROM generate_series(1, ${players}) n`,
]
