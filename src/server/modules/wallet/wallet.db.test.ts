import { afterAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
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
} from './testing/ledger.ts'
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

  test('happens once for one cause, whatever else the repeat says', async () => {
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
