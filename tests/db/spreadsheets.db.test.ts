import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { readCsv } from '#tests/support/read-csv.ts'
import { installedSpreadsheets, savedAgain } from '#tests/support/spreadsheets.ts'
import { everyNth } from '#tests/support/test-run.ts'

// Files of the portal are opened in real spreadsheets and saved again.

const ROWS = 500

const spreadsheets = await installedSpreadsheets()
const portal = useTestApp()
const { owner } = useOperators(portal, { owner: 'owner' })
let player: TestPlayer

/** Names that the portal takes and a spreadsheet would read as a number, a date or a formula's result. */
const NAMES = [
  (n: number) => `0912345${100 + n}`,
  (n: number) => `84912345${100 + n}`,
  (n: number) => `${12_345_000 + n}`,
  (n: number) => `${100 + n}E${n % 9}12`,
  (n: number) => `MAR${10_000 + n}`,
  (n: number) => `1234567890123456${100 + n}`,
  (n: number) => `000${100 + n}00`,
  (n: number) => `${1_000 + n}PM`,
  (n: number) => `Linh${n}Kunai`,
]
const nameOf = (n: number) => NAMES[n % NAMES.length]!(n)

const REFERENCES = [
  (n: number) => `1.1E+${100 + n}`,
  (n: number) => `0${24_123_000_000 + n}`,
  (n: number) => `FT${24_123_000_000 + n}`,
  (n: number) => `${n}/2`,
  (n: number) => `${24_123_456_789_000 + n}`,
  (n: number) => `=1+${n}`,
  (n: number) => `MAR${n}`,
]
const MEMOS = [
  '+84912345678',
  '=HYPERLINK("http://x")',
  '0912345678',
  '1/2',
  'TRUE',
  '-1',
  '@SUM(A1)',
  '(5)',
  '5%',
]
const MORE_MEMOS = [
  'hai\r\ndòng',
  'nạp "gấp", cảm ơn',
  "'0123",
  '  0912 ',
  '12:30',
  '2026-11-20',
  '1E5',
  '１２３',
  '💰 5',
]
const memoOf = (n: number) =>
  [...MEMOS, ...MORE_MEMOS, `NAP ${n} TCOIN`][n % (MEMOS.length + MORE_MEMOS.length + 1)]!

const numbers = Array.from({ length: ROWS }, (_, n) => n)

beforeAll(async () => {
  player = await aPlayer(portal, { coins: 10_000_000 })
  const names = numbers.map(nameOf)
  await asOwner(
    portal,
    `WITH made AS MATERIALIZED (SELECT nextval('users_id_seq') AS id, name FROM unnest($1::text[]) AS name)
     INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
       SELECT id, name, '-', '1', ledger_open_account('user_wallet', id) FROM made`,
    [names],
  )
  await asOwner(
    portal,
    `SELECT ledger_post('p2p', ${player.walletId}, wallet_account_id, 1 + id % 9, 'test', 'p' || id, NULL, NULL, NULL, NULL)
       FROM users WHERE username = ANY ($1::text[])`,
    [names],
  )
  await asOwner(
    portal,
    `WITH told AS (
       SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (ref, memo, n)),
     bank AS (
       INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, state, reason, booked_at)
       SELECT '0011000000001', 'in', ref, 1000 * n, 'review', 'no-code', now() FROM told RETURNING id, bank_ref),
     event AS (
       INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, bank_ref, status,
           bank_transaction_id, booked_at, processed_at)
       SELECT 'sepay', id::text, 'valid', 'in', 1000, '0011000000001', bank_ref, 'applied', id, now(), now() FROM bank
       RETURNING id, bank_ref)
     INSERT INTO payment_event_body (event_id, raw, memo, full_text)
       SELECT id, '{}', memo, memo FROM event JOIN told ON told.ref = event.bank_ref`,
    [numbers.map((n) => REFERENCES[n % REFERENCES.length]!(n)), numbers.map(memoOf)],
  )
})

const FILES: [name: string, path: string, token: () => string, hostile: readonly string[]][] = [
  ['users', '/api/operator/users.csv', () => owner.token, [nameOf(0), nameOf(3), nameOf(4), nameOf(5)]],
  [
    'the inbox',
    '/api/operator/bank-transfers.csv?filter={"state":"review"}',
    () => owner.token,
    ['0011000000001', '1.1E+100', '3/2', '0912345678', 'TRUE'],
  ],
  ['a statement', '/api/user/transactions.csv', () => player.token, [nameOf(0), nameOf(3), nameOf(4)]],
]

describe.skipIf(spreadsheets.length === 0).each(FILES)('the file of %s', (_, path, token, hostile) => {
  const at = FILES.findIndex(([, other]) => other === path)
  // By one of them each, another one of the next file.
  test.each(everyNth(spreadsheets, 2, at))('is the same when %s has saved it', async (spreadsheet) => {
    const { status, body } = await portal.call('GET', path, { token: token() })
    expect(status).toBe(200)
    const written = readCsv(body.replace(/^\ufeff/, ''))
    expect(written.length).toBeGreaterThan(ROWS)
    const cells = new Set(written.flat().map(withoutMark))
    expect(hostile.filter((value) => !cells.has(value))).toEqual([])
    const saved = await savedAgain(spreadsheet, body)
    // Gnumeric takes the mark as its own: it stores the text without it.
    expect(saved).toEqual(spreadsheet === 'Gnumeric' ? written.map((row) => row.map(withoutMark)) : written)
  })
})

const withoutMark = (cell: string): string => cell.replace(/^'/, '')
