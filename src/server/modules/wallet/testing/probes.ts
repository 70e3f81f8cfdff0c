import { once } from '#server/platform/idempotency.ts'
import { aSource, aWallet, outcomeOf, post, POST_SQL, someoneWaits, type Ledger } from './ledger.ts'

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

export async function repeatCause(ledger: Ledger): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
  const posting = { kind: 'p2p', debit, credit, amount: 1, source: aSource() } as const
  await post(ledger, posting)
  return outcomeOf(post(ledger, posting))
}

export async function reverseTwice(ledger: Ledger): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger, 10)]
  const { transferId } = await post(ledger, { kind: 'p2p', debit, credit, amount: 1 })
  const reverse = () =>
    ledger.appPool.query(`SELECT ledger_post('reversal', $1, $2, 1, 'test', $3, NULL, NULL, NULL, $4)`, [
      credit,
      debit,
      `reversal ${aSource().id}`,
      transferId,
    ])
  await reverse()
  return outcomeOf(reverse())
}

/** One key twice: refused here means that the work was not done again. */
export async function repeatKey(ledger: Ledger): Promise<string> {
  let timesDone = 0
  const operation = { scope: 'user:1:test', key: aSource().id, body: null }
  const ask = () =>
    once(
      ledger.app,
      operation,
      async () => {
        timesDone++
        return { answer: timesDone, resultType: 'test', resultId: '1' }
      },
      null,
    )
  await ask()
  await ask()
  return timesDone === 1 ? 'answered from the first' : 'accepted'
}

/** An entry written past the function, as the owner. */
export async function entryByHand(ledger: Ledger, columns: (posted: Written) => string): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
  const { transferId } = await post(ledger, { kind: 'p2p', debit, credit, amount: 1 })
  return outcomeOf(
    ledger.owner.query(
      `INSERT INTO ledger_entry (transfer_id, kind, created_at, account_id, account_version, amount, balance_before, balance_after)
       VALUES (${transferId}, 'p2p', now(), ${columns({ debit, credit })})`,
    ),
  )
}
export type Written = { debit: string; credit: string }

export async function transferWithoutEntries(ledger: Ledger): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
  return outcomeOf(
    ledger.owner.query(
      `INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
       VALUES ('p2p', ${debit}, ${credit}, 1, 'test', 'alone ${aSource().id}')`,
    ),
  )
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

/** Someone with a login and nothing else. */
export async function strangerPosts(ledger: Ledger): Promise<string> {
  const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
  const client = await ledger.owner.connect()
  try {
    await client.query('BEGIN; CREATE ROLE probe_stranger; SET LOCAL ROLE probe_stranger')
    return await outcomeOf(client.query(POST_SQL, ['p2p', debit, credit, 1, 'test', 'stranger']))
  } finally {
    // The role goes with the transaction.
    await client.query('ROLLBACK')
    client.release()
  }
}

/** Nobody can owe less than nothing: what is paid beyond would be lost to the player. */
export async function payMoreThanOwed(ledger: Ledger): Promise<string> {
  const debit = await aWallet(ledger, 10)
  const { rows } = await ledger.appPool.query<{ id: string }>(
    `SELECT ledger_open_account('receivable', user_id) AS id FROM ledger_account WHERE id = $1`,
    [debit],
  )
  return outcomeOf(post(ledger, { kind: 'debt_settle', debit, credit: rows[0]?.id ?? '', amount: 1 }))
}
