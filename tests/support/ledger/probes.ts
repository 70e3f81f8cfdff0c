import { once } from '#server/platform/idempotency/idempotency.ts'
import {
  aSource,
  aWallet,
  outcomeOf,
  post,
  POST_SQL,
  someoneWaits,
  type Ledger,
} from '#tests/support/ledger/ledger.ts'

/* Wrong things to try on the ledger. Each returns how it ended. */

export async function overdraw(ledger: Ledger): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
  return outcomeOf(post(ledger, { kind: 'p2p', debit, credit, amount: 11 }))
}

/** Two postings of the whole balance, the second begun while the first holds its locks. How does the second end? */
export async function spendTwice(ledger: Ledger): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
  const parameters = () => ['p2p', debit, credit, 10, 'test', `twice ${aSource().id}`]
  const first = await ledger.appPool.connect()
  try {
    await first.query('BEGIN')
    await first.query(POST_SQL, parameters())
    const second = outcomeOf(ledger.appPool.query(POST_SQL, parameters()))
    await someoneWaits(ledger)
    await first.query('COMMIT')
    return await second
  } finally {
    first.release()
  }
}

/** A→B and B→A at the same moment, each slow between its two locks. */
export async function crossPayments(ledger: Ledger): Promise<string> {
  const [a, b] = [await aWallet(ledger, 10), await aWallet(ledger, 10)]
  const outcomes = await Promise.all([
    outcomeOf(post(ledger, { kind: 'p2p', debit: a, credit: b, amount: 1 })),
    outcomeOf(post(ledger, { kind: 'p2p', debit: b, credit: a, amount: 1 })),
  ])
  return outcomes.find((outcome) => outcome !== 'accepted') ?? 'accepted'
}

/** One key twice: refused here means that the work was not done again. */
export async function repeatKey(ledger: Ledger): Promise<string> {
  let timesDone = 0
  const operation = { scope: 'user:1:test', key: aSource().id, body: null }
  const attempt = () =>
    once(
      ledger.app,
      operation,
      async () => {
        timesDone++
        return { answer: timesDone, resultType: 'test', resultId: '1' }
      },
      null,
    )
  await attempt()
  await attempt()
  return timesDone === 1 ? 'answered from the first' : 'accepted'
}

export const postRaw =
  (amount: number | string, isToItself = false) =>
  async (ledger: Ledger) => {
    const debit = await aWallet(ledger, 10)
    const credit = isToItself ? debit : await aWallet(ledger)
    return outcomeOf(
      ledger.appPool.query(POST_SQL, ['p2p', debit, credit, amount, 'test', `raw ${aSource().id}`]),
    )
  }
