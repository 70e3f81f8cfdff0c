import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import {
  aSource,
  aWallet,
  balanceOf,
  openLedger,
  useLedger,
  outcomeOf,
  post,
} from '#tests/support/ledger/ledger.ts'
import {
  aHold,
  expectSoundRows,
  refund,
  rowsOf,
  settle,
  sidesOf,
  stripesOf,
} from '#tests/support/ledger/stripes.ts'
import { HOUSE } from './wallet.service.ts'

/*
 * The house accounts are striped: which row a posting takes, and that nobody is refused for what another row holds.
 */
const ledger = useLedger()
afterEach(async () => {
  await expectSoundRows(ledger)
})

const STRIPES = 16
const NOTHING = Array<number>(STRIPES).fill(0)
const aDelivery = () => ({ type: 'delivery', id: randomUUID() })

describe('the rows of an account', () => {
  test('are sixteen for each house account, with ids that follow from its first row’s', async () => {
    for (const first of Object.values(HOUSE)) {
      const ids = Array.from({ length: STRIPES }, (_, n) => String(BigInt(first) + BigInt(100 * n)))
      expect((await stripesOf(ledger, first)).map(({ id }) => id)).toEqual(ids)
    }
  })

  test.for(['bank_transaction', 'delivery', 'adjustment'])(
    'are taken evenly by causes of the type %s, also when their ids follow each other',
    async (type) => {
      const ids = Array.from({ length: 1_600 }, (_, n) => (type === 'delivery' ? randomUUID() : String(n)))
      const { rows } = await ledger.owner.query<{ taken: number }>(
        `SELECT count(*)::integer AS taken FROM unnest($2::text[]) AS id
          GROUP BY ledger_stripe(${HOUSE.recharge}, $1, id)`,
        [type, ids],
      )
      expect(rows).toHaveLength(STRIPES)
      // A hundred are expected; five standard deviations.
      for (const { taken } of rows) expect(Math.abs(taken - 100)).toBeLessThan(50)
    },
  )
})

describe('a hold', () => {
  test('is settled and refunded in the row that it is held in', async () => {
    const wallet = await aWallet(ledger, 1_000)
    const used = new Set<string>()
    for (let round = 0; round < 40; round++) {
      const source = aDelivery()
      const held = await sidesOf(ledger, await aHold(ledger, wallet, source))
      const ended = await (round % 2 === 0 ? settle(ledger, source) : refund(ledger, wallet, source))
      expect((await sidesOf(ledger, ended)).debit).toBe(held.credit)
      used.add(held.credit)
    }
    expect(used.size).toBeGreaterThan(8)
    expect(await rowsOf(ledger, HOUSE.deliveryHold)).toEqual(NOTHING)
  })

  test('made before there were stripes is settled and refunded in the one row there was', async () => {
    const database = await freshDatabase()
    const old = openLedger(database)
    try {
      const wallet = await aWallet(old, 100)
      const deliveries = Array.from({ length: 8 }, aDelivery)
      const { rows } = await old.owner.query<{ made: string }>(
        `SELECT pg_get_functiondef('ledger_stripe'::regproc) AS made`,
      )
      await old.owner.query(`CREATE OR REPLACE FUNCTION ledger_stripe(
        p_account bigint, p_source_type text, p_source_id text) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN p_account`)
      for (const source of deliveries) await aHold(old, wallet, source)
      await old.owner.query(rows[0]?.made ?? '')
      for (const [index, source] of deliveries.entries()) {
        const ended = await (index < 4 ? settle(old, source) : refund(old, wallet, source))
        expect((await sidesOf(old, ended)).debit).toBe(HOUSE.deliveryHold)
      }
      expect(await rowsOf(old, HOUSE.deliveryHold)).toEqual(NOTHING)
      expect([await balanceOf(old, wallet), await balanceOf(old, HOUSE.revenue)]).toEqual([60, 40])
      await expectSoundRows(old)
    } finally {
      await old.close()
      await database.drop()
    }
  })
})

test('a reversal goes back to the row that its original was taken from, and from the row that it went to', async () => {
  const wallet = await aWallet(ledger, 100)
  for (let round = 0; round < 8; round++) {
    const recharge = { kind: 'recharge', debit: HOUSE.recharge, credit: wallet, amount: 10 } as const
    const paid = { kind: 'activation', debit: wallet, credit: HOUSE.revenue, amount: 10 } as const
    for (const posting of [recharge, paid]) {
      const { transferId } = await post(ledger, posting)
      const there = await sidesOf(ledger, { transferId })
      const [debit, credit] = [posting.credit, posting.debit]
      const back = await post(ledger, {
        kind: 'reversal',
        debit,
        credit,
        amount: 10,
        reversesId: transferId,
      })
      expect(await sidesOf(ledger, back)).toEqual({ debit: there.credit, credit: there.debit })
    }
  }
})

describe('an account that may not be overdrawn', () => {
  /** 160 TCoin in the account, 10 at a time. */
  async function filled(account: string): Promise<string> {
    const wallet = await aWallet(ledger, 160)
    for (let n = 0; n < STRIPES; n++) {
      await post(ledger, { kind: 'activation', debit: wallet, credit: account, amount: 10 })
    }
    return wallet
  }

  test('pays what its rows hold together, down to nothing, and not one more', async () => {
    const wallet = await filled(HOUSE.gift)
    const pay = (amount: number) =>
      outcomeOf(post(ledger, { kind: 'adjustment', debit: HOUSE.gift, credit: wallet, amount }))
    expect(Math.max(...(await rowsOf(ledger, HOUSE.gift)))).toBeLessThan(150)
    expect(await pay(161)).toBe('INSUFFICIENT_BALANCE')
    expect([await pay(150), await balanceOf(ledger, HOUSE.gift)]).toEqual(['accepted', 10])
    expect([await pay(11), await pay(10), await pay(1)]).toEqual([
      'INSUFFICIENT_BALANCE',
      'accepted',
      'INSUFFICIENT_BALANCE',
    ])
    expect([await rowsOf(ledger, HOUSE.gift), await balanceOf(ledger, wallet)]).toEqual([NOTHING, 160])
  })

  test('gives back a payment whose own row was emptied meanwhile', async () => {
    const wallet = await filled(HOUSE.gift)
    const { transferId } = await post(ledger, {
      kind: 'activation',
      debit: await aWallet(ledger, 5),
      credit: HOUSE.gift,
      amount: 5,
    })
    const row = (await sidesOf(ledger, { transferId })).credit
    const emptied = (await stripesOf(ledger, HOUSE.gift)).find(({ id }) => id === row)
    const source = { type: 'stripe', id: aSource().id }
    const elsewhere = String(BigInt(row) + (row === HOUSE.gift ? 100n : -100n))
    await post(ledger, {
      kind: 'adjustment',
      debit: row,
      credit: elsewhere,
      amount: emptied?.balance ?? 0,
      source,
    })
    const back = {
      kind: 'reversal',
      debit: HOUSE.gift,
      credit: wallet,
      amount: 5,
      reversesId: transferId,
    } as const
    expect((await sidesOf(ledger, await post(ledger, back))).debit).toBe(row)
    await post(ledger, { kind: 'adjustment', debit: HOUSE.gift, credit: wallet, amount: 160 })
  })

  test('pays no coin twice when many take from it at once', async () => {
    const wallet = await filled(HOUSE.gift)
    const payees = await Promise.all(Array.from({ length: 32 }, () => aWallet(ledger)))
    const take = async (credit: string): Promise<string> => {
      for (;;) {
        const posting = { kind: 'adjustment', debit: HOUSE.gift, credit, amount: 10 } as const
        const outcome = await outcomeOf(post(ledger, posting))
        // What the portal's own transactions try again.
        if (outcome !== '40001') return outcome
      }
    }
    const outcomes = await Promise.all(payees.map(take))
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(16)
    expect(outcomes.filter((outcome) => outcome === 'INSUFFICIENT_BALANCE')).toHaveLength(16)
    expect([await rowsOf(ledger, HOUSE.gift), await balanceOf(ledger, wallet)]).toEqual([NOTHING, 0])
  })
})

test('64 at once buy, settle, refund, recharge, pay each other and take from house accounts without a deadlock', async () => {
  const wallets: string[] = []
  for (let index = 0; index < 8; index++) wallets.push(await aWallet(ledger, 10_000))
  for (const wallet of wallets) {
    await post(ledger, { kind: 'activation', debit: wallet, credit: HOUSE.revenue, amount: 100 })
  }
  const tally: Record<string, number> = {}
  const act = async (work: () => Promise<unknown>) => {
    const outcome = await outcomeOf(work())
    tally[outcome] = (tally[outcome] ?? 0) + 1
  }
  await Promise.all(
    Array.from({ length: 64 }, async (_, index) => {
      const [wallet, other] = [wallets[index % 8] as string, wallets[(index * 3 + 1) % 8] as string]
      for (let round = 0; round < 4; round++) {
        const source = aDelivery()
        await act(() => aHold(ledger, wallet, source))
        await act(() => (round % 2 === 0 ? settle(ledger, source) : refund(ledger, wallet, source)))
        await act(() => post(ledger, { kind: 'recharge', debit: HOUSE.recharge, credit: wallet, amount: 10 }))
        if (other !== wallet)
          await act(() => post(ledger, { kind: 'p2p', debit: wallet, credit: other, amount: 1 }))
        // More than one row usually holds.
        await act(() => post(ledger, { kind: 'adjustment', debit: HOUSE.revenue, credit: other, amount: 90 }))
      }
    }),
  )
  const { accepted = 0, INSUFFICIENT_BALANCE: refused = 0, '40001': again = 0, ...others } = tally
  expect(others).toEqual({})
  expect(accepted).toBeGreaterThan(64 * 4 * 3)
  // Only what is taken from the house may have found too little, or a row emptied meanwhile.
  expect(refused + again).toBeLessThan(64 * 4)
  expect(await rowsOf(ledger, HOUSE.deliveryHold)).toEqual(NOTHING)
})
