import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aSource,
  aWallet,
  balanceOf,
  mustReconcile,
  openLedger,
  useLedger,
  outcomeOf,
  post,
  POST_SQL,
} from '#tests/support/ledger/ledger.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { openAccount } from './wallet.queries.ts'
import { HOUSE } from './wallet.service.ts'

const ledger = useLedger()

afterAll(async () => {
  await mustReconcile(ledger)
})

const rawPost = (amount: unknown, debit: string, credit: string) =>
  ledger.appPool.query(POST_SQL, ['p2p', debit, credit, amount, 'test', aSource().id + 'raw'])

describe('a posting', () => {
  test('moves the amount and answers both balances', async () => {
    const from = await aWallet(ledger, 500)
    const to = await aWallet(ledger, 20)
    const posted = await post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 120 })
    expect(posted).toEqual({
      transferId: expect.stringMatching(/^\d+$/),
      debitBalance: 380,
      creditBalance: 140,
    })
    expect([await balanceOf(ledger, from), await balanceOf(ledger, to)]).toEqual([380, 140])
  })

  test('takes a wallet to exactly 0 and not one below', async () => {
    const from = await aWallet(ledger, 100)
    const to = await aWallet(ledger)
    expect(await outcomeOf(post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 101 }))).toBe(
      'INSUFFICIENT_BALANCE',
    )
    await post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 100 })
    expect(await outcomeOf(post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 1 }))).toBe(
      'INSUFFICIENT_BALANCE',
    )
    expect([await balanceOf(ledger, from), await balanceOf(ledger, to)]).toEqual([0, 100])
  })

  test('happens once for one cause, whatever else is in the repeat', async () => {
    const from = await aWallet(ledger, 100)
    const to = await aWallet(ledger)
    const source = aSource()
    await post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 10, source })
    expect(await outcomeOf(post(ledger, { kind: 'p2p', debit: to, credit: from, amount: 7, source }))).toBe(
      '23505',
    )
    expect(await balanceOf(ledger, from)).toBe(90)
  })

  test.for([
    [0],
    [-1],
    [null],
    ['9000000000000001'],
    ['9223372036854775807'],
    ['9223372036854775808'],
    ['NaN'],
    ['1.5'],
  ])('of %s TCoin is refused by the database itself', async ([amount]) => {
    const to = await aWallet(ledger)
    const before = await balanceOf(ledger, HOUSE.adjustment)
    expect(await outcomeOf(rawPost(amount, HOUSE.adjustment, to))).toMatch(/^(23514|22003|22P02)$/)
    expect([await balanceOf(ledger, to), await balanceOf(ledger, HOUSE.adjustment)]).toEqual([0, before])
  })

  test.for([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'of %s is a bug of the caller, caught before any SQL',
    async (amount) => {
      const to = await aWallet(ledger)
      await expect(
        post(ledger, { kind: 'adjustment', debit: HOUSE.adjustment, credit: to, amount }),
      ).rejects.toThrow('invariant broken')
    },
  )

  test('from an account to itself is refused', async () => {
    const wallet = await aWallet(ledger, 5)
    expect(await outcomeOf(post(ledger, { kind: 'p2p', debit: wallet, credit: wallet, amount: 1 }))).toBe(
      '23514',
    )
    expect(await balanceOf(ledger, wallet)).toBe(5)
  })

  test('of a kind nobody knows, or on an account that is not there, is refused', async () => {
    const wallet = await aWallet(ledger, 5)
    const other = await aWallet(ledger)
    const unknown = ledger.appPool.query(POST_SQL, ['gift', wallet, other, 1, 'test', 'unknown kind'])
    expect(await outcomeOf(unknown)).toBe('23514')
    expect(await outcomeOf(rawPost(1, wallet, '777777777777'))).toBe('P0002')
    expect(await balanceOf(ledger, wallet)).toBe(5)
  })
})

test('no balance grows past what JSON can carry', async () => {
  const database = await freshDatabase()
  const rich = openLedger(database)
  try {
    const wallet = await aWallet(rich, 9_000_000_000_000_000)
    const more = post(rich, { kind: 'adjustment', debit: HOUSE.suspense, credit: wallet, amount: 1 })
    expect(await outcomeOf(more)).toBe('23514')
    expect(await balanceOf(rich, wallet)).toBe(9_000_000_000_000_000)
  } finally {
    await rich.close()
    await database.drop()
  }
})

test('a player has one wallet, however often and however much at once it is opened', async () => {
  const open = () => ledger.app.transaction().execute((tx) => openAccount(tx, 'user_wallet', '987654'))
  const ids = await Promise.all(Array.from({ length: 20 }, open))
  expect(new Set(ids).size).toBe(1)
  expect(await open()).toBe(ids[0])
})

test('entries cannot be unbalanced: a transfer without them, or with wrong ones, fails at COMMIT', async () => {
  const from = await aWallet(ledger, 50)
  const to = await aWallet(ledger)
  const insert = async (entries: string[]) => {
    const client = await ledger.owner.connect()
    try {
      await client.query('BEGIN')
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
         VALUES ('p2p', $1, $2, 10, 'test', $3) RETURNING id`,
        [from, to, aSource().id + 'unbalanced'],
      )
      for (const entry of entries) {
        await client.query(
          `INSERT INTO ledger_entry (transfer_id, kind, created_at, account_id, account_version, amount, balance_before, balance_after)
           VALUES (${rows[0]!.id}, 'p2p', now(), ${entry})`,
        )
      }
      return await outcomeOf(client.query('COMMIT'))
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
  expect(await insert([])).toBe('CN003')
  expect(await insert([`${from}, 2, -10, 50, 40`])).toBe('CN003')
  expect(await insert([`${from}, 2, -10, 50, 40`, `${to}, 1, 9, 0, 9`])).toBe('CN003')
  expect(await insert([`${from}, 2, 10, 50, 60`, `${to}, 1, -10, 0, -10`])).toBe('CN003')
  expect(await insert([`${from}, 2, -10, 50, 40`, `${HOUSE.gift}, 1, 10, 0, 10`])).toBe('CN003')
})

describe('postings at the same moment', () => {
  /*
   * Many at once. Postings run in transactions that are tried once, so a deadlock anywhere fails the test.
   */
  const ledger = useLedger()

  afterEach(async () => {
    await mustReconcile(ledger)
  })

  const MANY = 64

  function tally(outcomes: string[]): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
    return counts
  }

  const atOnce = (count: number, work: (index: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: count }, (_, index) => outcomeOf(work(index))))

  test('of 64 postings of the whole balance at once, one succeeds and 63 are refused for too little', async () => {
    for (let round = 0; round < 3; round++) {
      const from = await aWallet(ledger, 1_000)
      const to = await aWallet(ledger)
      const outcomes = await atOnce(MANY, () =>
        post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 1_000 }),
      )
      expect(tally(outcomes)).toEqual({ accepted: 1, INSUFFICIENT_BALANCE: 63 })
      expect([await balanceOf(ledger, from), await balanceOf(ledger, to)]).toEqual([0, 1_000])
    }
  })

  test('of 64 postings for one cause at once, one succeeds', async () => {
    const from = await aWallet(ledger, 64_000)
    const to = await aWallet(ledger)
    const source = aSource()
    const outcomes = await atOnce(MANY, () =>
      post(ledger, { kind: 'p2p', debit: from, credit: to, amount: 10, source }),
    )
    expect(tally(outcomes)).toEqual({ accepted: 1, '23505': 63 })
    expect(await balanceOf(ledger, to)).toBe(10)
  })

  test.for([2, 3, 5, 10])('rings of %i wallets pay each other both ways without a deadlock', async (size) => {
    const wallets: string[] = []
    for (let index = 0; index < size; index++) wallets.push(await aWallet(ledger, 1_000))
    const outcomes = await atOnce(200, (index) => {
      const here = index % size
      const next = (here + 1) % size
      const [from, to] = index % 3 === 0 ? [next, here] : [here, next]
      return post(ledger, {
        kind: 'p2p',
        debit: wallets[from]!,
        credit: wallets[to]!,
        amount: 1 + (index % 7),
      })
    })
    expect(tally(outcomes)).toEqual({ accepted: 200 })
    let total = 0
    for (const wallet of wallets) total += await balanceOf(ledger, wallet)
    expect(total).toBe(size * 1_000)
  })

  test('a hot house account takes every payment exactly once', async () => {
    const wallets: string[] = []
    for (let index = 0; index < 16; index++) wallets.push(await aWallet(ledger, 100))
    const before = await balanceOf(ledger, HOUSE.suspense)
    const outcomes = await atOnce(192, (index) =>
      post(ledger, { kind: 'reversal', debit: wallets[index % 16]!, credit: HOUSE.suspense, amount: 10 }),
    )
    // Twelve payments each from wallets that hold ten: two of each are refused.
    expect(tally(outcomes)).toEqual({ accepted: 160, INSUFFICIENT_BALANCE: 32 })
    expect((await balanceOf(ledger, HOUSE.suspense)) - before).toBe(1_600)
  })
})

describe('what is written stays', () => {
  /*
   * What nobody may do to the ledger: the portal's role has no right to, and for the owner there are triggers.
   */
  const ledger = useLedger()

  beforeAll(async () => {
    const from = await aWallet(ledger, 100)
    await post(ledger, { kind: 'p2p', debit: from, credit: await aWallet(ledger), amount: 40 })
  })

  const NO_RIGHT = '42501'
  const APPEND_ONLY = 'CN002'

  describe('the owner of the schema cannot rewrite history', () => {
    test.for([
      `UPDATE ledger_entry SET amount = amount + 1, balance_after = balance_after + 1`,
      `UPDATE ledger_entry SET created_at = now()`,
      `DELETE FROM ledger_entry`,
      `TRUNCATE ledger_entry`,
      `UPDATE ledger_transfer SET amount = amount + 1`,
      `UPDATE ledger_transfer SET actor_user_id = 1`,
      `DELETE FROM ledger_transfer`,
      `TRUNCATE ledger_transfer CASCADE`,
    ])('%s', async (statement) => {
      expect(await outcomeOf(ledger.owner.query(statement))).toBe(APPEND_ONLY)
    })
  })

  describe('the portal’s role cannot write the ledger past its one function', () => {
    test.for([
      `INSERT INTO ledger_account (id, kind, may_overdraw) VALUES (1, 'house_gift', true)`,
      `INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
         VALUES ('p2p', 1, 2, 1, 'test', 'by hand')`,
      `INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
         VALUES (1, 99, 1, 'p2p', 1, 0, 1, now())`,
      `UPDATE ledger_account SET balance = balance + 1`,
      `UPDATE ledger_account SET version = version + 1`,
      `UPDATE ledger_account SET may_overdraw = true`,
      `UPDATE ledger_account SET user_id = 1`,
      `UPDATE ledger_transfer SET amount = 1`,
      `UPDATE ledger_entry SET amount = 1`,
      `DELETE FROM ledger_account`,
      `DELETE FROM ledger_transfer`,
      `DELETE FROM ledger_entry`,
      `TRUNCATE ledger_account, ledger_transfer, ledger_entry CASCADE`,
      `MERGE INTO ledger_account USING (SELECT 1) AS one ON true WHEN MATCHED THEN UPDATE SET balance = 0`,
      `SELECT setval('ledger_account_id_seq', 1)`,
      `UPDATE activation SET fee = 0`,
      `DELETE FROM activation`,
      `DELETE FROM idempotency_key`,
      `DELETE FROM delivery`,
      `DELETE FROM payment_event`,
      `UPDATE users SET wallet_account_id = 1`,
    ])('%s', async (statement) => {
      expect(await outcomeOf(ledger.appPool.query(statement))).toBe(NO_RIGHT)
    })
  })

  describe('the portal’s role cannot change the schema, nor become someone who can', () => {
    test.for([
      `CREATE TABLE notes (id int)`,
      `CREATE TEMP TABLE notes (id int)`,
      `CREATE TABLE game.notes (id int)`,
      `CREATE SCHEMA notes`,
      `CREATE FUNCTION free_coins() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
      `CREATE TRIGGER quiet BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
      `CREATE EXTENSION dblink`,
      `CREATE ROLE intruder`,
      `DROP TABLE ledger_entry`,
      `DROP TRIGGER ledger_entry_append_only ON ledger_entry`,
      `DROP FUNCTION ledger_post`,
      `ALTER TABLE ledger_entry DISABLE TRIGGER ALL`,
      `ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_no_overdraft`,
      `ALTER TABLE ledger_account OWNER TO CURRENT_USER`,
      `ALTER ROLE portal_app SUPERUSER`,
      `SET session_replication_role = replica`,
      `SET ROLE pg_write_all_data`,
      `COPY ledger_account FROM PROGRAM 'true'`,
      `COPY ledger_entry TO '/tmp/ledger'`,
    ])('%s', async (statement) => {
      expect(await outcomeOf(ledger.appPool.query(statement))).toBe(NO_RIGHT)
    })

    test('it cannot hand its rights to others', async () => {
      // Without the right to grant, PostgreSQL only warns: the rights themselves must not have moved.
      await outcomeOf(ledger.appPool.query(`GRANT ALL ON ledger_account TO PUBLIC`))
      const { rows } = await ledger.owner.query(
        `SELECT grantee FROM information_schema.role_table_grants
          WHERE table_name = 'ledger_account' AND grantee = 'PUBLIC'`,
      )
      expect(rows).toEqual([])
    })
  })

  test('the portal’s role may do what it is there for: read, lock, and post', async () => {
    const wallet = await aWallet(ledger, 5)
    const client = await ledger.appPool.connect()
    try {
      await client.query('BEGIN')
      const { rows } = await client.query(
        'SELECT balance FROM ledger_account WHERE id = $1 FOR NO KEY UPDATE',
        [wallet],
      )
      await client.query('COMMIT')
      expect(rows).toEqual([{ balance: '5' }])
    } finally {
      client.release()
    }
  })
})
