import { afterEach, expect, test } from 'vitest'
import { aSource, aWallet, balanceOf, mustReconcile, useLedger, outcomeOf, post } from './testing/ledger.ts'
import { HOUSE } from './wallet.service.ts'

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

test('of 64 postings of the whole balance at once, one succeeds and 63 are told that it does not suffice', async () => {
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
    return post(ledger, { kind: 'p2p', debit: wallets[from]!, credit: wallets[to]!, amount: 1 + (index % 7) })
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
