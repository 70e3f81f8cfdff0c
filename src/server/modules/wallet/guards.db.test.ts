import { describe, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { expectedOf, takeAway } from '#tests/support/ledger/guards.ts'
import { ledgerGuards, lockOrderGuard, slowLocks } from '#tests/support/ledger/ledger-guards.ts'
import { aWallet, openLedger, type Ledger } from '#tests/support/ledger/ledger.ts'

/*
 * A guard that is never missed may not be there, and a probe that is always refused may be refused by something else.
 * So each guard is taken away in a throw-away database, and its probe must then get through.
 */
async function withLedger<Result>(work: (ledger: Ledger) => Promise<Result>): Promise<Result> {
  const database = await freshDatabase()
  const ledger = openLedger(database)
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
    await database.drop()
  }
}

describe('without its guard, the wrong thing gets through the ledger', () => {
  test.for(ledgerGuards)('$guard', async (guard) => {
    const ends = await withLedger(async (ledger) => {
      // Something to change and to delete.
      await aWallet(ledger, 10)
      return takeAway(ledger, guard)
    })
    expect(ends).toEqual(expectedOf(guard))
  })

  test('locks in the order of account ids', async () => {
    await withLedger(async (ledger) => {
      await slowLocks(ledger)
      expect(await lockOrderGuard.probe(ledger)).toBe('accepted')
      expect(await takeAway(ledger, lockOrderGuard)).toEqual(expectedOf(lockOrderGuard))
    })
  })
})
